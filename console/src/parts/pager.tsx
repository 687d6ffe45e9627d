import { Icon } from './icon.js';

interface PagerProps {
  readonly page: number;
  readonly pageSize: number;
  readonly count: number;
  readonly href: (page: number) => string;
}

export function Pager({ page, pageSize, count, href }: PagerProps) {
  const pages = Math.ceil(count / pageSize);
  if (pages <= 1) return null;
  const first = (page - 1) * pageSize + 1;
  const format = new Intl.NumberFormat();
  return (
    <nav class="pager" aria-label="Pages of this list">
      <span class="soft number">
        {format.format(Math.min(first, count))} to {format.format(Math.min(first + pageSize - 1, count))} of{' '}
        {format.format(count)}
      </span>
      <span class="row">
        {page > 1 && (
          <a class="button" href={href(Math.min(page - 1, pages))}>
            <Icon name="left" />
            Newer
          </a>
        )}
        {page < pages && (
          <a class="button" href={href(page + 1)}>
            Older
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  );
}
