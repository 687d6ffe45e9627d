import { useSignal } from '@preact/signals';
import type { Key, MerchantResponse } from '#sdk';
import { client, isOperator } from '../../../data/session.js';
import { t } from '../../../text/t.js';
import { InputField, formText } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/dialogs.js';
import { changedStores, MerchantField, storesOf, StoresField } from '../reach-fields.js';
import { chosenStores, describeRole, offeredRoles } from './roles.js';

interface PersonDialogProps {
  /** Whose name, stores and role are changed; undefined lets someone new in. */
  readonly of?: Key | undefined;
  readonly merchants: readonly MerchantResponse[];
  readonly onClose: () => void;
  readonly onSaved: (key: Key) => void;
}

const AS_IT_IS = 'as-it-is';

export function PersonDialog({ of: key, merchants, onClose, onSaved }: PersonDialogProps) {
  const chosen = useSignal(key?.merchant_id);
  const merchantId = chosen.value ?? merchants[0]?.id ?? '';
  const save = async (data: FormData) => {
    const label = formText(data, 'label');
    const role = offeredRoles().find(({ name }) => name === data.get('role'));
    const isScreen = role?.name === 'screen';
    const storeIds = chosenStores(data) ?? (isScreen ? storesOf(merchantId) : undefined);
    if (isScreen && storeIds?.length !== 1) throw new Error(t('choose_one_store_for_the_screen'));
    if (key === undefined)
      onSaved(
        await client.issueKey({
          label,
          permissions: [...(role?.permissions ?? [])],
          ...(isOperator() ? { merchant_id: merchantId } : {}),
          ...(storeIds === undefined ? {} : { store_ids: storeIds }),
        }),
      );
    else
      onSaved(
        await client.changeKey(key.id, {
          label,
          ...(isScreen || changedStores(data, key.store_ids) !== undefined
            ? { store_ids: storeIds ?? null }
            : {}),
          ...(role === undefined ? {} : { permissions: [...role.permissions] }),
        }),
      );
  };
  return (
    <FormDialog
      title={key === undefined ? t('let_someone_in') : t('change_what_they_may_do')}
      submit={key === undefined ? t('make_the_link') : t('save')}
      onSubmit={save}
      onClose={onClose}
    >
      <InputField
        label={t('name')}
        hint={t('a_person_or_a_device_such')}
        name="label"
        maxLength={200}
        required
        defaultValue={key?.label ?? ''}
      />
      {key === undefined && isOperator() && (
        <MerchantField merchants={merchants} chosen={merchantId} onChoose={(id) => (chosen.value = id)} />
      )}
      <StoresField
        key={merchantId}
        merchantId={isOperator() ? merchantId : undefined}
        chosen={key?.store_ids}
      />
      <fieldset class="field">
        <legend>{t('role')}</legend>
        {key !== undefined && (
          <RoleChoice name={AS_IT_IS} label={t('as_it_is')} words={describeRole(key)} isChosen />
        )}
        {offeredRoles().map(({ name, label, words }) => (
          <RoleChoice
            key={name}
            name={name}
            label={label}
            words={words}
            isChosen={key === undefined && name === 'kitchen'}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}

interface RoleChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly words: string;
  readonly isChosen: boolean;
}

function RoleChoice({ name, label, words, isChosen }: RoleChoiceProps) {
  return (
    <label class="check">
      <input type="radio" name="role" value={name} defaultChecked={isChosen} required />
      <span>
        {label}
        <span class="small soft role-words">{words}</span>
      </span>
    </label>
  );
}
