import type { ErrorDetail } from '#sdk';
import { t } from '../../../text/t.js';
import type { Judgement, LocatedError } from './check-file.js';
import type { FileBasis } from './read-document.js';

export type SoundFile = Omit<Extract<Judgement, { readonly is: 'sound' }>, 'relocate'>;
type Invalid = Extract<Judgement, { readonly is: 'invalid' }>;

export type Question =
  | { readonly is: 'judge'; readonly file: File; readonly basis: FileBasis }
  | { readonly is: 'relocate'; readonly errors: readonly ErrorDetail[] };
export type Answer = SoundFile | Invalid | readonly LocatedError[];

/** A file that was dropped. A large one takes seconds to read and to check, so a thread of its own does it. */
export interface MenuFile {
  readonly name: string;
  judge(basis: FileBasis): Promise<SoundFile | Invalid>;
  /** Where errors lie that the service has found, or what it warns of. */
  relocate(errors: readonly ErrorDetail[]): Promise<readonly LocatedError[]>;
  close(): void;
}

export function openMenuFile(file: File): MenuFile {
  const worker = new Worker(new URL('./menu-file.worker.ts', import.meta.url), { type: 'module' });
  const ask = <T extends Answer>(question: Question) =>
    new Promise<T>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<T>) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(t('name_cannot_be_read_why', { name: file.name, why: event.message })));
      };
      worker.postMessage(question);
    });
  return {
    name: file.name,
    judge: (basis) => ask({ is: 'judge', file, basis }),
    relocate: (errors) => ask({ is: 'relocate', errors }),
    close: () => worker.terminate(),
  };
}
