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
    <nav class="pager" aria-label={t('pages_of_this_list')}>
      <span class="soft number">
        {t('first_to_last_of_total', {
          first: Math.min(first, count),
          last: Math.min(first + pageSize - 1, count),
          total: count,
        })}
      </span>
      <span class="row">
        {page > 1 && (
          <a class="button" href={href(Math.min(page - 1, pages))}>
            <Icon name="left" />
            {t('newer')}
          </a>
        )}
        {page < pages && (
          <a class="button" href={href(page + 1)}>
            {t('older')}
            <Icon name="right" />
          </a>
        )}
      </span>
    </nav>
  );
}
