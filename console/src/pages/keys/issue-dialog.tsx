import { useSignal } from '@preact/signals';
import type { KeyCreated, MerchantResponse } from '#sdk';
import { client } from '../../client.js';
import { Dialog } from '../../parts/dialog.js';
import { Empty } from '../../parts/empty.js';
import { Field } from '../../parts/field.js';
import { formText } from '../../parts/form-text.js';
import { Trouble } from '../../parts/trouble.js';
import { useTask } from '../../parts/use-task.js';
import { toHref } from '../../router.js';
import type { Permission } from '../../session.js';
import { nameOf, stores } from '../../stores.js';
import { PERMISSION_WORDS } from './permissions.js';

interface IssueDialogProps {
  readonly merchants: readonly MerchantResponse[];
  readonly onClose: () => void;
  readonly onIssued: (key: KeyCreated) => void;
}

export function IssueDialog({ merchants, onClose, onIssued }: IssueDialogProps) {
  const { isBusy, error, run } = useTask();
  const merchantId = useSignal(merchants[0]?.id ?? '');
  const ofMerchant = (stores.value ?? []).filter(({ merchant }) => merchant?.id === merchantId.value);
  const issue = async (form: HTMLFormElement) => {
    const data = new FormData(form);
    const label = formText(data, 'label');
    const expires = formText(data, 'expires_at');
    const storeIds = data.getAll('store').map(String);
    const key = await client.issueKey({
      merchant_id: merchantId.value,
      permissions: data.getAll('permission') as Permission[],
      ...(label === '' ? {} : { label }),
      ...(expires === '' ? {} : { expires_at: new Date(`${expires}T23:59:59Z`).toISOString() }),
      ...(storeIds.length === 0 ? {} : { store_ids: storeIds }),
    });
    onIssued(key);
  };
  if (merchants.length === 0)
    return (
      <Dialog title="Issue a key" onClose={onClose}>
        <Empty icon="merchants" title="There is no merchant yet">
          <p>A key acts for a merchant. Make one first.</p>
          <a class="button" href={toHref('/merchants')}>
            To the merchants
          </a>
        </Empty>
      </Dialog>
    );
  return (
    <Dialog
      title="Issue a key"
      onClose={onClose}
      actions={
        <button type="submit" form="issue" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Issuing' : 'Issue the key'}
        </button>
      }
    >
      <form
        id="issue"
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          run(() => issue(form));
        }}
      >
        {error.value !== undefined && <Trouble error={error.value} />}
        <Field label="What is it for?" hint="Such as Kitchen tablet or Point of sale">
          {(ids) => <input {...ids} class="input" name="label" maxLength={200} />}
        </Field>
        <Field label="Merchant">
          {(ids) => (
            <select
              {...ids}
              class="input"
              value={merchantId.value}
              onChange={(event) => (merchantId.value = event.currentTarget.value)}
            >
              {merchants.map(({ id, brand_name: name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        {ofMerchant.length > 1 && (
          <fieldset class="field">
            <legend>Stores</legend>
            <div class="hint">None ticked: all of them, also future ones</div>
            {ofMerchant.map((store) => (
              <label class="check" key={store.id}>
                <input type="checkbox" name="store" value={store.id} />
                <bdi>{nameOf(store)}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <fieldset class="field">
          <legend>What it may do</legend>
          {Object.entries(PERMISSION_WORDS).map(([permission, words]) => (
            <label class="check" key={permission}>
              <input
                type="checkbox"
                name="permission"
                value={permission}
                defaultChecked={permission === 'read'}
              />
              <span>
                {words} <span class="mono soft">{permission}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Field label="Works until the end of" hint="Left empty: until it is revoked">
          {(ids) => <input {...ids} class="input" name="expires_at" type="date" />}
        </Field>
      </form>
    </Dialog>
  );
}
