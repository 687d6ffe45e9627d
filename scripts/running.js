import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The id of a process that runs the service from this folder. Only Linux tells; elsewhere there is none. */
export function runningService() {
  const processes =
    process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return processes
    .map(Number)
    .sort((a, b) => a - b)
    .find(isService);
}

function isService(pid) {
  try {
    const [, program = '', command] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const path = realpathSync(resolve(readlinkSync(`/proc/${pid}/cwd`), program));
    if (path === at('dist/cli/main.js')) return command === 'serve';
    return path === at('dist/main.js') || path === at('scripts/start.js');
  } catch {
    // Gone by now, another user's, or no program of Node's.
    return false;
  }
}
