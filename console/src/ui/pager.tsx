import { t } from '../text/t.js';
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
  return (
    <nav class="pager" aria-label={t('Pages of this list')}>
      <span class="soft number">
        {t('{first} to {last} of {total}', {
          first: Math.min(first, count),
          last: Math.min(first + pageSize - 1, count),
          total: count,
        })}
      </span>
      <span class="row">
        {page > 1 && (
          <a class="button" href={href(Math.min(page - 1, pages))}>
            <Icon name="left" />
            {t('Newer')}
          </a>
        )}
        {page < pages && (
          <a class="button" href={href(page + 1)}>
            {t('Older')}
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  );
}
