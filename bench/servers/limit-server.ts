import { fileURLToPath } from 'node:url';
import { startChild, type ChildServer } from './child-server.js';

/** Starts one of the reference programs of bench/limits with its settings as JSON. */
export function startLimit(name: string, settings: object): Promise<ChildServer> {
  const script = fileURLToPath(new URL(`../limits/${name}.js`, import.meta.url));
  return startChild(script, [JSON.stringify(settings)], {});
}
