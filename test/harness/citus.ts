/** Whether the tests run on a distributed database, of which some things cannot be asked. */
export const isOnCitus = process.env['TEST_CITUS'] === 'on';
