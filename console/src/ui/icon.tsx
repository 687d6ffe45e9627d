const PATHS = {
  help: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 17h.01',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  board: 'M4 5h4v14H4zM10 5h4v10h-4zM16 5h4v7h-4z',
  orders: 'M6 3h12v18l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5L6 21zM9 8h6M9 12h6',
  sales: 'M4 20h16M6 20v-6h3v6M11 20V9h3v11M16 20V4h3v16',
  menu: 'M4 5c3-1 6-1 8 1v14c-2-2-5-2-8-1zM20 5c-3-1-6-1-8 1v14c2-2 5-2 8-1z',
  versions: 'M12 8v5l3 2M4 12a8 8 0 1 0 3-6.2M4 4v4h4',
  download: 'M12 5v11M7.5 11.5L12 16l4.5-4.5M5 19h14',
  upload: 'M12 16V5M7.5 9.5L12 5l4.5 4.5M5 19h14',
  stores:
    'M4 10l1.5-6h13L20 10M4 10a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0A2.7 2.7 0 0 0 20 10M5.5 13v7h13v-7M10 20v-4h4v4',
  places: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2M20 14v2h-2v4M14 18v2h2M20 20v-2',
  merchants: 'M4 20V8l6-4v16M10 20V9h10v11M14 13h2M14 16.5h2',
  keys: 'M14.5 9.5a4.5 4.5 0 1 0-4 4.5L12 12.5h2v-2h2l1.5-1.5M8 15l-4 4v1h3v-2h2v-2',
  people:
    'M9 11a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM3 20c0-4 2.5-6 6-6s6 2 6 6M15.5 4.5a3.5 3.5 0 0 1 0 6M17.5 14.5c2.2.8 3.5 2.6 3.5 5.5',
  webhooks: 'M5 12h10M11 7l5 5-5 5M20 5v14',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM20 20l-4.8-4.8',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  late: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16h.01',
  clock: 'M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM12 7v5l3 2',
  sound: 'M4 10v4h3l5 4V6L7 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11',
  mute: 'M4 10v4h3l5 4V6L7 10zM16 10l4 4M20 10l-4 4',
  expand: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  shrink: 'M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  plus: 'M12 5v14M5 12h14',
  left: 'M14.5 6l-6 6 6 6',
  right: 'M9.5 6l6 6-6 6',
  comment: 'M4 5h16v11h-9l-4 4v-4H4z',
  phone:
    'M6 4h4l1.5 5-2.5 1.5a11 11 0 0 0 4.5 4.5L15 12.5l5 1.5v4a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2z',
  swap: 'M7 5L4 8l3 3M4 8h13M17 13l3 3-3 3M20 16H7',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  minus: 'M5 12h14',
  dine_in: 'M7 3v7M5 3v4a2 2 0 0 0 4 0V3M7 10v11M17 3c-2 1-3 4-3 7h3zM17 3v18',
  pickup: 'M6 8h12l1 12H5zM9 8V6a3 3 0 0 1 6 0v2',
  delivery:
    'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 1 0-4 2 2 0 0 1 0 4zM17 19a2 2 0 1 1 0-4 2 2 0 0 1 0 4z',
  undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9',
} as const;

export type IconName = keyof typeof PATHS;

/** They point where the text goes, or comes from. */
const SIDEWAYS: ReadonlySet<string> = new Set<IconName>(['left', 'right', 'undo']);

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={SIDEWAYS.has(name) ? 'icon sideways' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
