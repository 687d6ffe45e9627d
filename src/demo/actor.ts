/** In the place of a key's id, for what the demo has done itself. */
export const DEMO_ACTOR = 'demo';
