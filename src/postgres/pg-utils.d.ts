declare module 'pg/lib/utils.js' {
  const utils: {
    /** A parameter as the server reads it. */
    readonly prepareValue: (value: unknown) => string | Buffer | null;
  };
  export default utils;
}
