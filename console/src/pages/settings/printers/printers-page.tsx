import { useSignal } from '@preact/signals';
import type { ManagedStore, Printer, PrinterDetails } from '#sdk';
import { client, may } from '../../../data/session.js';
import { SERVICE_WORDS, TROUBLE_WORDS } from '../../../text/code-words.js';
import { nameOf, timezoneOf } from '../../../data/stores.js';
import { toDateTime, toList } from '../../../text/format.js';
import { t, tx } from '../../../text/t.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog, Dialog } from '../../../ui/dialogs.js';
import { Copyable } from '../../../ui/copy-button.js';
import { Empty, RowActions, Table } from '../../../ui/table.js';
import { say, sayError } from '../../../ui/toasts.js';
import { WhenLoaded, useLoad } from '../../../ui/loading.js';
import { useTitle } from '../../../ui/use-title.js';
import { QrCode } from '../../../ui/qr-code.js';
import { PrinterDialog } from './printer-dialog.js';

type Opened =
  | { readonly is: 'add' }
  | { readonly is: 'change' | 'address' | 'rotate' | 'remove'; readonly printer: Printer };

/** The printers of a store: what they print, how they are, and their addresses. */
export function PrintersPage({ store }: { readonly store: ManagedStore }) {
  useTitle(t('printers'), nameOf(store));
  const loaded = useLoad(
    async (signal) => {
      const printers = await client.listPrinters(store.id, {}, { signal });
      return Promise.all(printers.map(({ id }) => client.getPrinter(store.id, id, { signal })));
    },
    [store.id],
  );
  const opened = useSignal<Opened | undefined>(undefined);
  const close = () => (opened.value = undefined);
  const showAddress = (printer: Printer) => {
    opened.value = { is: 'address', printer };
    loaded.reload();
  };
  const done = (words: string) => {
    say(words);
    close();
    loaded.reload();
  };
  const change = opened.value;
  return (
    <>
      <header>
        <h1>{t('printers')}</h1>
        {may('store:write') && (
          <Button look="primary" icon="plus" onClick={() => (opened.value = { is: 'add' })}>
            {t('add_a_printer')}
          </Button>
        )}
      </header>
      <WhenLoaded of={loaded} busy={t('reading_the_printers')}>
        {(printers) =>
          printers.length === 0 ? (
            <Empty icon="print" title={t('no_printer_yet')}>
              <p>{t('printers_fetch_their_tickets')}</p>
            </Empty>
          ) : (
            <PrinterTable store={store} printers={printers} onOpen={(next) => (opened.value = next)} />
          )
        }
      </WhenLoaded>
      {change?.is === 'add' && <PrinterDialog storeId={store.id} onClose={close} onSaved={showAddress} />}
      {change?.is === 'change' && (
        <PrinterDialog
          storeId={store.id}
          printer={change.printer}
          onClose={close}
          onSaved={() => done(t('the_printer_is_saved'))}
        />
      )}
      {change?.is === 'address' && <AddressDialog printer={change.printer} onClose={close} />}
      {change?.is === 'rotate' && (
        <ConfirmDialog
          title={t('give_it_a_new_address')}
          confirm={t('new_address')}
          onClose={close}
          onConfirm={async () => showAddress(await client.rotatePrinter(store.id, change.printer.id))}
        >
          <p>{tx('name_prints_nothing_until_entered', { name: <bdi>{change.printer.label}</bdi> })}</p>
        </ConfirmDialog>
      )}
      {change?.is === 'remove' && (
        <ConfirmDialog
          title={t('remove_the_printer')}
          confirm={t('remove')}
          onClose={close}
          onConfirm={async () => {
            await client.deletePrinter(store.id, change.printer.id);
            done(t('the_printer_is_removed'));
          }}
        >
          <p>{tx('the_address_of_name_ends', { name: <bdi>{change.printer.label}</bdi> })}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function AddressDialog({ printer, onClose }: { readonly printer: Printer; readonly onClose: () => void }) {
  const { url = '' } = printer;
  return (
    <Dialog
      title={tx('address_of_name', { name: <bdi>{printer.label}</bdi> })}
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div class="stack">
        <p>{t('enter_this_address_in_the_printer')}</p>
        <QrCode text={url} label={t('the_address_as_a_qr_code')} />
        <Copyable text={url} label={t('copy_the_address')} sourceId="printer-address" />
      </div>
    </Dialog>
  );
}

interface PrinterTableProps {
  readonly store: ManagedStore;
  readonly printers: readonly PrinterDetails[];
  readonly onOpen: (opened: Opened) => void;
}

function PrinterTable({ store, printers, onOpen }: PrinterTableProps) {
  const test = ({ id, label }: Printer) => {
    client.testPrinter(store.id, id).then(() => say(t('name_prints_a_test', { name: label })), sayError);
  };
  return (
    <Table columns={[t('printer'), t('paper_prints'), t('status'), t('change')]}>
      {printers.map((printer) => (
        <tr key={printer.id}>
          <td class="lead">
            <bdi>{printer.label}</bdi>
          </td>
          <td data-label={t('paper_prints')}>
            <bdi>
              {toList([
                printer.prints === 'receipt' ? t('paper_receipt') : t('paper_kitchen'),
                ...(printer.prep_types ?? []),
                ...(printer.services ?? []).map((service) => SERVICE_WORDS[service]),
              ])}
            </bdi>
          </td>
          <td data-label={t('status')}>{describe(printer, store)}</td>
          <td class="bare">
            {may('store:write') && (
              <RowActions
                of={printer.label}
                actions={[
                  { label: t('test_print'), onPress: () => test(printer) },
                  { label: t('address'), onPress: () => onOpen({ is: 'address', printer }) },
                  { label: t('change'), onPress: () => onOpen({ is: 'change', printer }) },
                  { label: t('new_address'), onPress: () => onOpen({ is: 'rotate', printer }) },
                  { label: t('remove'), isDangerous: true, onPress: () => onOpen({ is: 'remove', printer }) },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** How a printer is, in words. */
function describe(printer: PrinterDetails, store: ManagedStore): string {
  const { online, last_poll_at: polledAt, paper, trouble, behind, oldest_at: oldestAt } = printer;
  const isOnline = online ? t('printer_online') : t('printer_offline');
  const words = [
    trouble === undefined
      ? polledAt === undefined
        ? t('printer_never_connected')
        : isOnline
      : TROUBLE_WORDS[trouble],
    ...(paper === 'low' ? [t('printer_paper_low')] : []),
    ...(behind > 0 && oldestAt !== undefined
      ? [t('printer_behind', { count: behind, time: toDateTime(oldestAt, timezoneOf(store)) })]
      : []),
  ];
  return toList(words);
}
