/** Says that something is under way, and what. */
export function Busy({ children = 'Loading' }: { readonly children?: string }) {
  return (
    <div class="busy" role="status">
      <span>{children}</span>
      <span class="bar" />
    </div>
  );
}
