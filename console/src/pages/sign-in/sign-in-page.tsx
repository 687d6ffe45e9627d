import { AuthenticationError } from '#sdk';
import { t, tx } from '../../text/t.js';
import { LanguagePicker } from '../../text/language-picker.js';
import { Button } from '../../ui/button.js';
import { Field, formText } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { Trouble, useTask } from '../../ui/loading.js';
import { useTitle } from '../../ui/use-title.js';
import { signIn } from '../../data/session.js';
import './sign-in.css';

/** Takes a key, once; what stays in the browser is a cookie that no script can read. */
export function SignInPage({ why }: { readonly why?: string | undefined }) {
  const { isBusy, error, run } = useTask();
  useTitle(t('sign_in'), 'Comanda');
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
            <p class="soft">{t('orders_and_menus_of_your_restaurant')}</p>
          </div>
        </div>
        {why !== undefined && (
          <Notice icon="clock" role="status">
            {why}
          </Notice>
        )}
        <Field
          label={t('your_key')}
          hint={t('it_begins_with_comanda_it_is')}
          error={isUnknownKey ? t('it_may_be_mistyped_revoked_or_expired') : undefined}
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
        <Trouble error={error.value} />
        <Button type="submit" look="primary" disabled={isBusy.value}>
          {isBusy.value ? t('signing_in') : t('sign_in')}
        </Button>
        <details>
          <summary>{t('where_is_my_key')}</summary>
          <ul class="soft">
            <li>
              {tx('for_the_demo_restaurant_in_the', {
                file: <code>demo.env</code>,
              })}
            </li>
            <li>
              {tx('for_the_operator_of_a_new', {
                file: <code>operator.key</code>,
              })}
            </li>
            <li>{t('everyone_else_asks_the_operator_for')}</li>
          </ul>
        </details>
        <LanguagePicker />
      </form>
    </main>
  );
}
