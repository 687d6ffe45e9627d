import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ManagedStore } from '#sdk';
import { BoardPage } from './pages/board/board-page.js';
import { HomePage } from './pages/home/home-page.js';
import { KeysPage } from './pages/keys/keys-page.js';
import { MenuPage } from './pages/menu/menu-page.js';
import { MerchantsPage } from './pages/merchants/merchants-page.js';
import { OrderPage } from './pages/order/order-page.js';
import { OrdersPage } from './pages/orders/orders-page.js';
import { PublishPage } from './pages/publish/publish-page.js';
import { SignInPage } from './pages/sign-in/sign-in-page.js';
import { StorePage } from './pages/store/store-page.js';
import { StoresPage } from './pages/stores/stores-page.js';
import { DiffPage } from './pages/versions/diff-page.js';
import { VersionsPage } from './pages/versions/versions-page.js';
import { WebhookPage } from './pages/webhooks/webhook-page.js';
import { WebhooksPage } from './pages/webhooks/webhooks-page.js';
import { Busy } from './parts/busy.js';
import { Empty } from './parts/empty.js';
import { Toasts } from './parts/toasts.js';
import { Trouble } from './parts/trouble.js';
import { useLoad } from './parts/use-load.js';
import { match, navigate, place, toHref } from './router.js';
import { resumeSession, session } from './session.js';
import { Shell } from './shell/shell.js';
import { loadKeyLabels } from './key-labels.js';
import { forgetStores, loadStores, readStore, stores, storesError, usualStore } from './stores.js';

type StoreView = (store: ManagedStore, parameters: Readonly<Record<string, string>>) => ComponentChildren;

/** The pages of a store; each is shown once its currency and timezone are known. */
const STORE_PAGES: Readonly<Record<string, StoreView>> = {
  '/stores/:store': (store) => <HomePage store={store} />,
  '/stores/:store/board': (store) => <BoardPage store={store} />,
  '/stores/:store/orders': (store) => <OrdersPage store={store} />,
  '/stores/:store/orders/:order': (store, { order = '' }) => <OrderPage store={store} orderId={order} />,
  '/stores/:store/menu': (store) => <MenuPage store={store} />,
  '/stores/:store/versions': (store) => <VersionsPage store={store} />,
  '/stores/:store/versions/:from/:to': (store, { from = '', to = '' }) => (
    <DiffPage store={store} from={Number(from)} to={Number(to)} />
  ),
  '/stores/:store/publish': (store) => <PublishPage store={store} />,
  '/stores/:store/settings': (store) => <StorePage store={store} />,
};

const PAGES: Readonly<Record<string, (parameters: Readonly<Record<string, string>>) => ComponentChildren>> = {
  '/': () => <FirstStore />,
  '/stores': () => <StoresPage />,
  '/merchants': () => <MerchantsPage />,
  '/keys': () => <KeysPage />,
  '/webhooks': () => <WebhooksPage />,
  '/webhooks/:webhook': ({ webhook = '' }) => <WebhookPage key={webhook} webhookId={webhook} />,
};

export function App() {
  const error = useSignal<unknown>(undefined);
  const resume = () => {
    error.value = undefined;
    resumeSession().catch((reason: unknown) => (error.value = reason));
  };
  useEffect(resume, []);
  const state = session.value;
  useEffect(() => {
    if (state.is === 'in') {
      void loadStores();
      // Without them, keys are told by their ids.
      loadKeyLabels().catch(() => undefined);
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
      <Empty icon="search" title="There is no such page" isPage>
        <p>The address may be mistyped, or from another version of the console.</p>
        <a class="button primary" href={toHref('/')}>
          To the start
        </a>
      </Empty>
    </Shell>
  );
}

interface StoreFrameProps {
  readonly id: string;
  readonly view: StoreView;
  readonly parameters: Readonly<Record<string, string>>;
}

function StoreFrame({ id, view, parameters }: StoreFrameProps) {
  const { value, error, reload } = useLoad((signal) => readStore(id, signal), [id]);
  return (
    <Shell storeId={id}>
      {value.value !== undefined ? (
        view(value.value, parameters)
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
