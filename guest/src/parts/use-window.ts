import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * What makes a `<dialog>` a window over the page: the browser keeps the focus in it, and gives it back to what opened it. `leave` is
 * called for Escape and for a tap beside it; `first` is what has the focus at the beginning, if not what the browser chooses.
 */
export function useWindow(leave: () => void, first?: string) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    const opener = document.activeElement;
    dialog?.showModal();
    if (first !== undefined) dialog?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return {
    ref: element,
    onCancel: (event: Event) => {
      event.preventDefault();
      leave();
    },
    onClick: (event: Event) => {
      if (event.target === element.current) leave();
    },
  };
}
