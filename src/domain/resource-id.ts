const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be the id of a store, merchant, order or key at all; the rest need not be looked up. */
export function isResourceId(text: string | undefined): text is string {
  return text !== undefined && FORM.test(text);
}
