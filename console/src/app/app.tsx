import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { useIntake, type LiveIntake } from './intake/intake.js';
import { PauseBar } from './intake/intake-state.js';
import { setStoreLanguage } from '../text/format.js';
import { t } from '../text/t.js';
import { Alarm } from '../data/live/alarm.js';
import { Connection } from '../data/live/connection.js';
import { createLiveStore, isAnswered, useChanges, type LiveStore } from '../data/live/live-store.js';
import { BoardPage } from '../pages/orders/board/board-page.js';
import { HomePage } from '../pages/home/home-page.js';
import { MenuPage } from '../pages/menu/menu/menu-page.js';
import { OrderPage } from '../pages/orders/order/order-page.js';
import { OrdersPage } from '../pages/orders/list/orders-page.js';
import { SignInPage } from '../pages/sign-in/sign-in-page.js';
import { StoresPage } from '../pages/settings/stores/stores-page.js';
import { Busy, Trouble, useLoad } from '../ui/loading.js';
import { useShown } from '../ui/use-shown.js';
import { Empty } from '../ui/table.js';
import { Toasts } from '../ui/toasts.js';
import { lazily } from './lazily.js';
import { match, navigate, place, toHref } from './router.js';
import { may, ownKey, resumeSession, session } from '../data/session.js';
import { Shell } from './shell/shell.js';
import { loadKeyNames } from '../data/key-names.js';
import {
  firstLanguageOf,
  forgetStores,
  knownStore,
  loadStores,
  readStore,
  stores,
  storesError,
  timezoneOf,
  usualStore,
} from '../data/stores.js';

const AuditPage = lazily(() => import('../pages/fleet/audit-page.js').then((page) => page.AuditPage));
const OverviewPage = lazily(() =>
  import('../pages/fleet/overview-page.js').then((page) => page.OverviewPage),
);
const EditPage = lazily(() => import('../pages/menu/edit/edit-page.js').then((page) => page.EditPage));
const HelpPage = lazily(() => import('../pages/help/help-page.js').then((page) => page.HelpPage));
const KeysPage = lazily(() => import('../pages/settings/keys/keys-page.js').then((page) => page.KeysPage));
const MerchantsPage = lazily(() =>
  import('../pages/settings/merchants/merchants-page.js').then((page) => page.MerchantsPage),
);
const PeoplePage = lazily(() =>
  import('../pages/settings/people/people-page.js').then((page) => page.PeoplePage),
);
const PlacesPage = lazily(() =>
  import('../pages/settings/places/places-page.js').then((page) => page.PlacesPage),
);
const PassPage = lazily(() => import('../pages/orders/pass/pass-page.js').then((page) => page.PassPage));
const PickupPage = lazily(() =>
  import('../pages/orders/pickup/pickup-page.js').then((page) => page.PickupPage),
);
const PrintersPage = lazily(() =>
  import('../pages/settings/printers/printers-page.js').then((page) => page.PrintersPage),
);
const PublishPage = lazily(() =>
  import('../pages/menu/publish/publish-page.js').then((page) => page.PublishPage),
);
const SalesPage = lazily(() => import('../pages/sales/sales-page.js').then((page) => page.SalesPage));
const SendPage = lazily(() => import('../pages/menu/rollout/rollout-page.js').then((page) => page.SendPage));
const StorePage = lazily(() =>
  import('../pages/settings/store/store-page.js').then((page) => page.StorePage),
);
const DiffPage = lazily(() => import('../pages/menu/versions/diff-page.js').then((page) => page.DiffPage));
const VersionsPage = lazily(() =>
  import('../pages/menu/versions/versions-page.js').then((page) => page.VersionsPage),
);
const WebhookPage = lazily(() =>
  import('../pages/settings/webhooks/webhook-page.js').then((page) => page.WebhookPage),
);
const WebhooksPage = lazily(() =>
  import('../pages/settings/webhooks/webhooks-page.js').then((page) => page.WebhooksPage),
);

interface OpenStore {
  readonly store: ManagedStore;
  readonly live: LiveStore;
  readonly intake: LiveIntake;
}

type StoreView = (open: OpenStore, parameters: Readonly<Record<string, string>>) => ComponentChildren;

/** The pages of a store; each is shown once its currency and timezone are known. */
const STORE_PAGES: Readonly<Record<string, StoreView>> = {
  '/stores/:store': (open) => <HomePage {...open} />,
  '/stores/:store/board': (open) => <BoardPage {...open} />,
  '/stores/:store/pass': ({ store, live }) => <PassPage store={store} live={live} />,
  '/stores/:store/orders': (open) => <OrdersPage {...open} />,
  '/stores/:store/orders/:order': (open, { order = '' }) => (
    <OrderPage key={order} {...open} orderId={order} />
  ),
  '/stores/:store/sales': (open) => <SalesPage {...open} />,
  '/stores/:store/menu': (open) => <MenuPage {...open} />,
  '/stores/:store/menu/edit': (open) => <EditPage {...open} />,
  '/stores/:store/menu/send': ({ store }) => <SendPage store={store} />,
  '/stores/:store/versions': ({ store }) => <VersionsPage store={store} />,
  '/stores/:store/versions/:from/:to': ({ store }, { from = '', to = '' }) => (
    <DiffPage key={`${from} ${to}`} store={store} from={Number(from)} to={Number(to)} />
  ),
  '/stores/:store/publish': ({ store }) => <PublishPage store={store} />,
  '/stores/:store/places': ({ store, live }) => <PlacesPage store={store} live={live} />,
  '/stores/:store/printers': ({ store }) => <PrintersPage store={store} />,
  '/stores/:store/settings': ({ store }) => <StorePage store={store} />,
  '/stores/:store/audit': ({ store }) => <AuditPage store={store} />,
};

const PAGES: Readonly<Record<string, (parameters: Readonly<Record<string, string>>) => ComponentChildren>> = {
  '/': () => <FirstStore />,
  '/stores': () => <StoresPage />,
  '/overview': () => <OverviewPage />,
  '/audit': () => <AuditPage />,
  '/merchants': () => <MerchantsPage />,
  '/help': () => <HelpPage />,
  '/people': () => <PeoplePage />,
  '/keys': () => <KeysPage />,
  '/webhooks': () => <WebhooksPage />,
  '/webhooks/:webhook': ({ webhook = '' }) => <WebhookPage key={webhook} webhookId={webhook} />,
};

const TRY_AGAIN_MS = 10_000;

export function App() {
  const error = useSignal<unknown>(undefined);
  const resume = () => {
    error.value = undefined;
    resumeSession().catch((reason: unknown) => (error.value = reason));
  };
  useEffect(resume, []);
  useEffect(() => {
    // Nobody may be there to try again, as at a screen on the wall.
    const timer = error.value === undefined ? undefined : setTimeout(resume, TRY_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [error.value]);
  const state = session.value;
  useEffect(() => {
    if (state.is === 'in' && may('kitchen:read')) {
      void loadStores();
      // A page that cannot tell who acted still tells what was done.
      loadKeyNames().catch(() => undefined);
    } else forgetStores();
  }, [state.is]);
  return (
    <>
      {error.value !== undefined ? (
        <main class="alone">
          <Trouble error={error.value} retry={resume} />
        </main>
      ) : state.is === 'unknown' ? (
        <main class="alone">
          <Busy />
        </main>
      ) : state.is === 'out' ? (
        <SignInPage why={state.why} />
      ) : (
        <Pages />
      )}
      <Toasts />
    </>
  );
}

function Pages() {
  const { path } = place.value;
  const { store: screen } = match('/stores/:store/pickup', path) ?? {};
  if (!may('kitchen:read') && may('pickup:read')) return <OnlyScreen storeId={screen} />;
  if (screen !== undefined) return <PickupPage key={screen} storeId={screen} />;
  for (const [pattern, view] of Object.entries(STORE_PAGES)) {
    const found = match(pattern, path);
    if (found !== undefined)
      return <StoreFrame key={found['store']} id={found['store'] ?? ''} view={view} parameters={found} />;
  }
  for (const [pattern, view] of Object.entries(PAGES)) {
    const found = match(pattern, path);
    if (found !== undefined) return <Shell>{view(found)}</Shell>;
  }
  return (
    <Shell>
      <Empty icon="search" title={t('there_is_no_such_page')} isPage>
        <p>{t('the_address_may_be_mistyped_or')}</p>
        <a class="button primary" href={toHref('/')}>
          {t('to_the_start')}
        </a>
      </Empty>
    </Shell>
  );
}

/** All that the key of a screen opens: it cannot even list the stores. */
function OnlyScreen({ storeId }: { readonly storeId: string | undefined }) {
  const shown = storeId ?? ownKey()?.store_ids?.[0];
  if (shown !== undefined) return <PickupPage key={shown} storeId={shown} />;
  return (
    <main class="alone">
      <Empty icon="pickup" title={t('pickup_screen')} isPage>
        <p>{t('this_screen_is_for_no_store')}</p>
      </Empty>
    </main>
  );
}

interface StoreFrameProps {
  readonly id: string;
  readonly view: StoreView;
  readonly parameters: Readonly<Record<string, string>>;
}

function StoreFrame({ id, view, parameters }: StoreFrameProps) {
  const { error, reload } = useLoad((signal) => readStore(id, signal), [id]);
  const live = useMemo(() => createLiveStore(id), [id]);
  const store = knownStore(id);
  const isFound = store !== undefined;
  setStoreLanguage(firstLanguageOf(store));
  const intake = useIntake(id, live, isFound);
  useEffect(() => (isFound ? live.start() : undefined), [live, isFound]);
  // What is said above a page, such as the alarm, would push away the button that a finger is about to touch.
  const isShown = useShown(isAnswered(live) && intake.isAsked, isFound);
  const readAgain = () => isFound && reload();
  useChanges(live, readAgain, (_, type) => type === 'store.updated');
  return (
    <Shell
      storeId={id}
      notices={
        isFound && (
          <>
            <Connection live={live} timezone={timezoneOf(store)} />
            <PauseBar {...intake} timezone={timezoneOf(store)} />
            <Alarm storeId={id} live={live} />
          </>
        )
      }
    >
      {isFound && isShown ? (
        view({ store, live, intake }, parameters)
      ) : error.value === undefined ? (
        <Busy />
      ) : (
        <Trouble error={error.value} retry={reload} />
      )}
    </Shell>
  );
}

/** The start of the console: the store that was looked at last. */
function FirstStore() {
  const { value: store } = usualStore;
  useEffect(() => {
    if (store !== undefined) navigate(toHref(`/stores/${store.id}`), { isReplacing: true });
  }, [store]);
  if (storesError.value !== undefined)
    return <Trouble error={storesError.value} retry={() => void loadStores()} />;
  if (stores.value === undefined || store !== undefined) return <Busy />;
  return <StoresPage />;
}
