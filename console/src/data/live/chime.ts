import { signal } from '@preact/signals';

const SETTING = 'comanda-sound';
const REPEAT_MS = 4_000;
const NOTES = [880, 1318.5];

/** Whether this device is to ring; kept for the next time. */
export const isSoundOn = signal(localStorage.getItem(SETTING) === 'on');
/** A browser plays nothing before the first tap on the page, whatever was set earlier. */
export const isSoundBlocked = signal(true);

let context: AudioContext | undefined;

export async function switchSound(isOn: boolean): Promise<void> {
  isSoundOn.value = isOn;
  localStorage.setItem(SETTING, isOn ? 'on' : 'off');
  if (isOn) {
    await unlockSound();
    ring();
  }
}

/** Call from a tap or a key press. */
export async function unlockSound(): Promise<void> {
  if (!isSoundOn.value) return;
  context ??= new AudioContext();
  await context.resume();
  isSoundBlocked.value = context.state !== 'running';
}

/** Rings now and again every few seconds until the returned function is called. */
export function startRinging(): () => void {
  ring();
  const timer = setInterval(ring, REPEAT_MS);
  return () => clearInterval(timer);
}

/** Two rising notes, heard over a kitchen without startling it. */
export function ring(): void {
  if (context?.state !== 'running' || !isSoundOn.value) return;
  for (const [at, frequency] of NOTES.entries()) {
    const start = context.currentTime + at * 0.18;
    const note = new OscillatorNode(context, { type: 'triangle', frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.4, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + 0.55);
  }
}
