import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Category, Diet, Item } from './api.js';
import { DIETS, ItemFacts, ItemPhoto } from './item-facts.js';
import { t, textOf } from './language.js';
import { Icon } from './parts/icon.js';
import { isLoaded, isOpen, sections } from './place.js';

const wanted = signal<ReadonlySet<Diet>>(new Set());

const hasDiet = ({ dietary_labels: diets = [] }: Item, diet: Diet) =>
  diets.includes(diet) || (diet === 'VEGETARIAN' && diets.includes('VEGAN'));

/** Only the diets that the menu knows are offered. */
const offered = computed(() => {
  const all = sections.value.flatMap(({ items }) => items);
  return (Object.keys(DIETS) as Diet[]).filter((diet) => all.some((item) => hasDiet(item, diet)));
});

const shown = computed((): readonly Category[] =>
  sections.value.flatMap((category) => {
    const items = category.items.filter((item) => [...wanted.value].every((diet) => hasDiet(item, diet)));
    return items.length === 0 ? [] : { ...category, items };
  }),
);

export function MenuList({ onOpen }: { readonly onOpen: (item: Item) => void }) {
  if (!isLoaded.value) return null;
  if (sections.value.length === 0) return <p class="empty">{t('no_menu')}</p>;
  return (
    <>
      <SectionLinks />
      <DietFilter />
      {shown.value.length === 0 && <p class="empty">{t('nothing_matches')}</p>}
      {shown.value.map((category) => (
        <section key={category.external_id} id={anchorOf(category)} class="section" tabIndex={-1}>
          <h2>{textOf(category.name)}</h2>
          {textOf(category.description) !== '' && <p class="soft">{textOf(category.description)}</p>}
          <ul class="items">
            {category.items.map((item) => (
              <li key={item.external_id}>
                <ItemRow item={item} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p class="soft small foot">{t('taxes_included')}</p>
    </>
  );
}

function ItemRow({ item, onOpen }: { readonly item: Item; readonly onOpen: (item: Item) => void }) {
  return (
    <article class="item" data-off={!item.in_stock}>
      <div>
        <h3>
          <button type="button" onClick={() => onOpen(item)}>
            {textOf(item.name)}
          </button>
        </h3>
        <ItemFacts item={item} />
      </div>
      <ItemPhoto item={item} />
      {item.in_stock && isOpen.value && (
        <span class="plus" aria-hidden="true">
          <Icon name="plus" />
        </span>
      )}
    </article>
  );
}

function DietFilter() {
  if (offered.value.length === 0) return null;
  const toggle = (diet: Diet) => {
    const next = new Set(wanted.value);
    if (!next.delete(diet)) next.add(diet);
    wanted.value = next;
  };
  return (
    <div class="chips" role="group" aria-label={t('diets')}>
      {offered.value.map((diet) => (
        <button
          key={diet}
          type="button"
          class="chip"
          aria-pressed={wanted.value.has(diet)}
          onClick={() => toggle(diet)}
        >
          {wanted.value.has(diet) && <Icon name="check" />}
          {t(DIETS[diet])}
        </button>
      ))}
    </div>
  );
}

const current = signal('');

/** Where in the menu the guest is, and a way to the rest of it. */
function SectionLinks() {
  const anchors = shown.value.map(anchorOf).join();
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) current.value = target.id;
      },
      { rootMargin: '-25% 0px -70% 0px' },
    );
    for (const section of document.querySelectorAll('.section')) watch.observe(section);
    return () => watch.disconnect();
  }, [anchors]);
  if (shown.value.length < 2) return null;
  return (
    <nav class="sections" aria-label={t('sections')}>
      {shown.value.map((category) => (
        <a
          key={category.external_id}
          href={`#${anchorOf(category)}`}
          aria-current={current.value === anchorOf(category)}
          onClick={(event) => {
            event.preventDefault();
            const section = document.getElementById(anchorOf(category));
            section?.scrollIntoView();
            section?.focus({ preventScroll: true });
          }}
        >
          {textOf(category.name)}
        </a>
      ))}
    </nav>
  );
}

function anchorOf({ external_id: externalId }: Category): string {
  return `section-${encodeURIComponent(externalId)}`;
}
