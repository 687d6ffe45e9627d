import type { Printer, PrinterCreate } from '#sdk';
import { client } from '../../../data/session.js';
import { listStations, stationsOf } from '../../../data/stations.js';
import { SERVICE_WORDS } from '../../../text/code-words.js';
import { InputField, SelectField, Ticks, formText } from '../../../ui/field.js';
import { languageName, OFFERED_LANGUAGES } from '../../../text/languages.js';
import { t } from '../../../text/t.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { useLoad } from '../../../ui/loading.js';

interface PrinterDialogProps {
  readonly storeId: string;
  /** The printer to change; a new one without it. */
  readonly printer?: Printer | undefined;
  readonly onClose: () => void;
  readonly onSaved: (printer: Printer) => void;
}

const PROTOCOLS = [
  ['cloudprnt', t('paper_star')],
  ['epson', t('paper_epson')],
  ['bridge', t('paper_bridge')],
] as const;

/** Adds a printer, or changes what it prints. */
export function PrinterDialog({ storeId, printer, onClose, onSaved }: PrinterDialogProps) {
  const menu = useLoad((signal) => client.getMenuConfiguration(storeId, { signal }), [storeId]);
  const ofMenu = listStations(stationsOf(menu.value.value?.menu_configuration ?? []));
  // The menu may have lost a station that the printer still has.
  const stations = [...new Set([...(printer?.prep_types ?? []), ...ofMenu])];
  const tags = [
    ...new Set([...(printer?.language === undefined ? [] : [printer.language]), ...OFFERED_LANGUAGES]),
  ];
  const save = async (data: FormData) => {
    const chosen = data.getAll('station') as string[];
    const services = data.getAll('service') as NonNullable<PrinterCreate['services']>;
    const common = {
      label: formText(data, 'label'),
      prints: formText(data, 'prints') as NonNullable<PrinterCreate['prints']>,
      on: formText(data, 'on') as NonNullable<PrinterCreate['on']>,
      columns: Number(formText(data, 'columns')) as NonNullable<PrinterCreate['columns']>,
      copies: Number(formText(data, 'copies')),
    };
    const none = printer === undefined ? undefined : null;
    const language = formText(data, 'language');
    const only = {
      language: language === '' ? none : language,
      prep_types: chosen.length === 0 ? none : chosen,
      services: services.length === 0 ? none : services,
    };
    onSaved(
      printer === undefined
        ? await client.createPrinter(storeId, {
            ...common,
            ...(only as Pick<PrinterCreate, 'language' | 'prep_types' | 'services'>),
            protocol: formText(data, 'protocol') as PrinterCreate['protocol'],
          })
        : await client.changePrinter(storeId, printer.id, { ...common, ...only }),
    );
  };
  return (
    <FormDialog
      title={printer === undefined ? t('add_a_printer') : t('change_the_printer')}
      submit={printer === undefined ? t('add') : t('save')}
      onClose={onClose}
      onSubmit={save}
    >
      <InputField
        label={t('name')}
        name="label"
        required
        maxLength={100}
        defaultValue={printer?.label ?? ''}
      />
      {printer === undefined && (
        <SelectField name="protocol" label={t('paper_connection')} options={PROTOCOLS} />
      )}
      <SelectField
        name="prints"
        label={t('paper_prints')}
        options={[
          ['kitchen', t('paper_kitchen')],
          ['receipt', t('paper_receipt')],
        ]}
        chosen={printer?.prints}
      />
      <SelectField
        name="on"
        label={t('paper_when')}
        options={[
          ['accepted', t('paper_once_accepted')],
          ['created', t('paper_at_once')],
        ]}
        chosen={printer?.on}
      />
      <div class="pair">
        <SelectField
          name="columns"
          label={t('paper_columns')}
          options={['32', '42', '48'].map((count) => [count, count])}
          chosen={String(printer?.columns ?? 42)}
        />
        <SelectField
          name="copies"
          label={t('paper_copies')}
          options={['1', '2', '3'].map((count) => [count, count])}
          chosen={String(printer?.copies ?? 1)}
        />
      </div>
      <SelectField
        name="language"
        label={t('language')}
        options={[
          ['', t('paper_language_of_store')],
          ...tags.map((tag) => [tag, languageName(tag)] as const),
        ]}
        chosen={printer?.language}
      />
      {stations.length > 0 && (
        <Ticks
          legend={t('paper_stations')}
          name="station"
          options={stations.map((station) => [station, <bdi>{station}</bdi>])}
          chosen={printer?.prep_types}
        />
      )}
      <Ticks
        legend={t('paper_services')}
        name="service"
        options={Object.entries(SERVICE_WORDS)}
        chosen={printer?.services}
      />
    </FormDialog>
  );
}
