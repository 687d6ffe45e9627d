const WORDS = {
  new: 'NEW|NEU|NUEVO|NOUVEAU|NOVO|جديد',
  changed: 'CHANGED|GEÄNDERT|CAMBIADO|MODIFIÉ|ALTERADO|معدّل',
  cancelled: 'CANCELLED|STORNIERT|CANCELADO|ANNULÉ|CANCELADO|ملغى',
  copy: 'COPY|KOPIE|COPIA|COPIE|CÓPIA|نسخة',
  repeat:
    'REPEAT, may be printed already|WIEDERHOLUNG, evtl. schon gedruckt|REPETIDO, quizá ya impreso|RÉPÉTITION, peut-être déjà imprimé|REPETIÇÃO, talvez já impresso|مكرر، ربما طُبع من قبل',
  test: 'Test print|Testdruck|Prueba de impresión|Impression de test|Impressão de teste|طباعة تجريبية',
  works:
    'This printer works.|Dieser Drucker funktioniert.|Esta impresora funciona.|Cette imprimante fonctionne.|Esta impressora funciona.|هذه الطابعة تعمل.',
  late: 'Not printed in time. Look at the screen for:|Nicht rechtzeitig gedruckt. Am Bildschirm nachsehen:|No se imprimió a tiempo. Mire la pantalla:|Non imprimé à temps. Voir l’écran :|Não impresso a tempo. Veja no ecrã:|لم يُطبع في الوقت المناسب. انظر إلى الشاشة:',
  number: 'No. {n}|Nr. {n}|N.º {n}|N° {n}|N.º {n}|رقم {n}',
  dine_in: 'Dine in|Vor Ort|En el local|Sur place|No local|في المطعم',
  pickup: 'Pick-up|Abholung|Para recoger|À emporter|Levantamento|استلام',
  delivery: 'Delivery|Lieferung|Entrega|Livraison|Entrega|توصيل',
  for: 'For {time}|Für {time}|Para {time}|Pour {time}|Para {time}|لـ {time}',
  placed: 'Ordered {time}|Bestellt {time}|Pedido {time}|Commandé {time}|Pedido {time}|طُلب {time}',
  added: 'ADDED|DAZU|AÑADIDO|AJOUTÉ|ACRESCENTADO|أضيف',
  removed: 'TAKEN AWAY|ENTFÄLLT|QUITADO|RETIRÉ|RETIRADO|أزيل',
  allergens:
    'Contains: {list}|Enthält: {list}|Contiene: {list}|Contient : {list}|Contém: {list}|يحتوي على: {list}',
  elsewhere:
    '+ {count} at {station}|+ {count} bei {station}|+ {count} en {station}|+ {count} à {station}|+ {count} em {station}|+ {count} في {station}',
  total: 'Total|Summe|Total|Total|Total|المجموع',
  tip: 'Tip|Trinkgeld|Propina|Pourboire|Gorjeta|إكرامية',
  due: 'Due|Offen|Pendiente|À payer|Por pagar|المستحق',
  paid: 'Paid|Bezahlt|Pagado|Payé|Pago|مدفوع',
} as const;
const LANGUAGES = ['en', 'de', 'es', 'fr', 'pt', 'ar'];

type TicketWord = keyof typeof WORDS;
/** A word with its blanks filled in. */
export type TicketWords = (word: TicketWord, values?: Readonly<Record<string, string | number>>) => string;

/** In English where the language is none of ours. */
export function ticketWords(language: string | undefined): TicketWords {
  const index = Math.max(0, LANGUAGES.indexOf(language?.toLowerCase().split('-')[0] ?? 'en'));
  return (word, values = {}) =>
    (WORDS[word].split('|')[index] ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
      String(values[name] ?? ''),
    );
}
