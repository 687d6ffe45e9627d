import { t } from '../text/t.js';

/** Says that something is under way, and what. */
export function Busy({ children = t('loading') }: { readonly children?: string }) {
  return (
    <div class="busy" role="status">
      <span>{children}</span>
      <span class="bar" />
    </div>
  );
}
