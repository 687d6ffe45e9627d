import { AuthenticationError } from '#sdk';
import { t } from '../../text/t.js';
import { tx } from '../../text/tx.js';
import { LanguagePicker } from '../../text/language-picker.js';
import { Field } from '../../ui/field.js';
import { formText } from '../../text/form-text.js';
import { Icon } from '../../ui/icon.js';
import { Trouble } from '../../ui/error-notice.js';
import { useTask } from '../../ui/use-task.js';
import { useTitle } from '../../ui/use-title.js';
import { signIn } from '../../data/session.js';
import './sign-in.css';

/** Takes a key, once; what stays in the browser is a cookie that no script can read. */
export function SignInPage({ why }: { readonly why?: string | undefined }) {
  const { isBusy, error, run } = useTask();
  useTitle(t('Sign in'), 'Comanda');
  const isUnknownKey = error.value instanceof AuthenticationError;

  return (
    <main class="sign-in">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          const key = formText(new FormData(event.currentTarget), 'key');
          run(() => signIn({ key }));
        }}
      >
        <div class="sign-in-mark">
          <img src="/console/icon.svg" alt="" width="48" height="48" />
          <div>
            <h1>Comanda</h1>
            <p class="soft">{t('Orders and menus of your restaurant')}</p>
          </div>
        </div>
        {why !== undefined && (
          <p class="notice" role="status">
            <Icon name="clock" />
            <span>{why}</span>
          </p>
        )}
        <Field
          label={t('Your key')}
          hint={t('It begins with comanda_. It is sent once and not kept in this browser.')}
          fault={isUnknownKey ? t('It may be mistyped, revoked or expired.') : undefined}
        >
          {(ids) => (
            <input
              {...ids}
              class="input mono"
              name="key"
              type="password"
              autocomplete="current-password"
              spellcheck={false}
              required
              aria-invalid={isUnknownKey}
            />
          )}
        </Field>
        {error.value !== undefined && <Trouble error={error.value} />}
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? t('Signing in') : t('Sign in')}
        </button>
        <details>
          <summary>{t('Where is my key?')}</summary>
          <ul class="soft">
            <li>
              {tx('For the demo restaurant: in the file {file} in the data folder.', {
                file: <code>demo.env</code>,
              })}
            </li>
            <li>
              {tx('For the operator of a new installation: in {file} beside it.', {
                file: <code>operator.key</code>,
              })}
            </li>
            <li>
              {t(
                'Everyone else asks the operator for a key. Operators issue keys here under Keys, or on the command line.',
              )}
            </li>
          </ul>
        </details>
        <LanguagePicker />
      </form>
    </main>
  );
}
