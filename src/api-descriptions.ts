import type { DocsPage } from './http/docs.js';
import type { DocumentInfo } from './http/openapi.js';
import { version } from './support/version.js';

/** How the three surfaces introduce themselves in their OpenAPI documents and on the docs pages. */

/** A start that finds its port in use recognises a running Comanda by it. */
export const API_TITLE = 'Comanda';

export const v1Info: DocumentInfo = {
  title: API_TITLE,
  version,
  description:
    'Menus, stores, merchants and orders of restaurants. Every operation needs a key in the `x-api-key` header. The key of the ' +
    'demo restaurant is in `demo.env` in the data folder; with it, every example works as it is. ' +
    'Prices are integers in the minor unit of the store’s currency. Date-times are RFC 3339 in UTC.',
  tags: [
    { name: 'Menu', description: 'Publish a store’s menu and read it back, nested or flat' },
    { name: 'Orders', description: 'Read the orders of a store' },
    { name: 'Stores', description: 'The stores a key may see' },
    { name: 'Merchants', description: 'The merchants a key may see' },
  ],
};

export const manageInfo: DocumentInfo = {
  title: 'Comanda manage',
  version,
  description:
    'Everything around `/v1`: provisioning, keys, menu history and stock, order intake, events and webhooks. Keys and errors work ' +
    'as on `/v1`. The data folder has the key of the demo restaurant in `demo.env` and the operator key, which may do everything, ' +
    'in `operator.key`.',
  tags: [
    { name: 'Merchants', description: 'Create and change merchants; operator keys only' },
    { name: 'Stores', description: 'Create and change stores' },
    { name: 'Keys', description: 'Issue, change, rotate and revoke keys; make sign-in links' },
    { name: 'Menu', description: 'Versions, checks, stock and availability of a store’s menu' },
    {
      name: 'Intake',
      description: 'What the kitchen takes: hours, special days, pauses, capacity, promised times',
    },
    { name: 'Orders', description: 'Create orders, change their status, import and export them' },
    { name: 'Sales', description: 'What stores have sold, by time, item, category and status' },
    { name: 'Events', description: 'Changes in stores: read them from any point, or watch them live' },
    { name: 'Places', description: 'Tables and pick-up points where guests order by QR code' },
    {
      name: 'Webhooks',
      description: 'Send events to your own endpoints, signed, in order, and retried until accepted',
    },
    { name: 'Printers', description: 'Printers that fetch tickets, and what they are to print' },
    { name: 'Customers', description: 'Erase customers, and export what is held about one' },
    { name: 'Audit', description: 'Who changed what' },
    {
      name: 'Backup',
      description: 'Back up and restore the whole installation as one archive; operator keys only',
    },
  ],
};

export const guestInfo: DocumentInfo = {
  title: 'Comanda guests',
  version,
  description:
    'What guests do at a table or a pick-up point, without a key. The code of a place and the token of an order are all that ' +
    'they need. A store turns it on with `guest` in its settings; until then, no place is found.',
  isOpen: true,
  tags: [
    { name: 'Places', description: 'Read the menu of a place and order there' },
    { name: 'Orders', description: 'Follow or cancel an order' },
  ],
};

export const docsPages: readonly DocsPage[] = [
  {
    path: '/docs',
    title: 'Comanda API',
    document: '/openapi.json',
    label: 'Public interface',
  },
  {
    path: '/docs/manage',
    title: 'Comanda API, manage side',
    document: '/manage/openapi.json',
    label: 'Manage side',
  },
  {
    path: '/docs/guest',
    title: 'Comanda API, guests',
    document: '/guest/openapi.json',
    label: 'Guests',
  },
];
