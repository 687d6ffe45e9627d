/**
 * What a handler returns that has sent its reply itself. Never the reply: it is a thenable, and whoever awaits it, as
 * every async function does with what it returns, sets up a watch for the end of the answer that costs more than a 304.
 */
export const SENT = Symbol('sent');
