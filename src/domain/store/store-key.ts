/**
 * Stores are numbered upwards from 1 as they are made. The few numbers from here on belong to stores whose ids are known
 * beforehand, such as the demo's; nothing that counts upwards may start from one of them.
 */
export const FIRST_GIVEN_STORE_KEY = 0x7fff_ff00;
