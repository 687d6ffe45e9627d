import { version } from './version.js';
import type { DocsPage } from './http/docs.js';
import type { DocumentInfo } from './http/openapi.js';

export const v1Info: DocumentInfo = {
  title: 'Comanda',
  version,
  description:
    'Menus, stores, merchants and orders of restaurants. Every operation needs a key in the header `x-api-key`; that of the demo ' +
    'restaurant is in `demo.env` in the data folder, and with it every example can be sent as it stands. ' +
    'Prices are integers in the minor unit of the store’s currency; date-times are RFC 3339 in UTC.',
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
    'What stands around the interface: provisioning, keys, menu history and stock, order intake, events, webhooks. Same keys, ' +
    'same errors. The key of the demo restaurant is in `demo.env` in the data folder; the operator’s, which may do everything, is beside ' +
    'it in `operator.key`.',
  tags: [
    { name: 'Merchants', description: 'Create and change merchants; operator keys only' },
    { name: 'Stores', description: 'Create and change stores; operator keys only' },
    { name: 'Keys', description: 'Issue, rotate and revoke keys; operator keys only' },
    { name: 'Menu', description: 'Versions, checks, stock and availability of a store’s menu' },
    { name: 'Orders', description: 'Take orders in, move them along, import and export' },
    { name: 'Events', description: 'What has happened in stores: read from any point on, or watched live' },
    {
      name: 'Webhooks',
      description: 'Endpoints that are sent the events of stores, in order, until they have taken them',
    },
    { name: 'Backup', description: 'The whole installation as one archive, out and in; operator keys only' },
  ],
};

export const docsPages: readonly DocsPage[] = [
  {
    path: '/docs',
    title: 'Comanda API',
    document: '/openapi.json',
    other: { path: '/docs/manage', label: 'Manage side' },
  },
  {
    path: '/docs/manage',
    title: 'Comanda API, manage side',
    document: '/manage/openapi.json',
    other: { path: '/docs', label: 'Public interface' },
  },
];
