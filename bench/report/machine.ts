import { cpus, totalmem } from 'node:os';

export function describeMachine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const { platform, versions } = process;
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${memory} GB, ${platform}, Node ${versions.node}`;
}
