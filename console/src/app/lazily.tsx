import type { ComponentType } from 'preact';
import { t } from '../text/t.js';
import { Busy, Trouble, useLoad } from '../ui/loading.js';

/** A page whose script is fetched when it is first shown, so that the board does not wait for it. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => preact.JSX.Element {
  let Page: ComponentType<Props> | undefined;
  const fetchPage = async () => {
    Page ??= await load().catch(() => {
      throw new Error(t('this_page_could_not_be_loaded'));
    });
    return true;
  };
  return (props) => {
    const { error, value, reload } = useLoad(fetchPage, []);
    if (Page !== undefined) return <Page {...props} />;
    return value.value === undefined && error.value !== undefined ? (
      <Trouble error={error.value} retry={reload} />
    ) : (
      <Busy />
    );
  };
}
