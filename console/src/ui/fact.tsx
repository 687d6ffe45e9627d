import type { ComponentChildren } from 'preact';

/** One of a list of facts. */
export function Fact({ label, children }: { label: ComponentChildren; children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
