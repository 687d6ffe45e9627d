import { expect, it } from 'vitest';
import { drawLines } from '../../src/printers/draw.js';
import { ask } from '../harness/client.js';
import { takeIn } from '../harness/orders.js';
import { openForPaper } from '../harness/printer.js';
import { useService } from '../harness/service.js';

const service = await useService();

async function open(more: object = {}) {
  const tenant = await openForPaper(service);
  const printer = await tenant.addPrinter({ protocol: 'epson', ...more });
  const post = (form: Record<string, string>) =>
    ask<string>(printer.url, {
      method: 'POST',
      body: new URLSearchParams({ ID: 'TM-1', Name: 'Kitchen', ...form }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const getRequest = () => post({ ConnectionType: 'GetRequest' });
  /** Asks until there is something to print: whoever asks again within a second gets nothing. */
  const waitForJob = async (): Promise<{ xml: string; id: string; lines: string[] }> => {
    for (;;) {
      const { body } = await getRequest();
      const id = /<printjobid>(.*?)<\/printjobid>/.exec(body)?.[1];
      const texts = [...body.matchAll(/<text [^/]*?>(.*?)&#10;<\/text>/g)].map(([, text = '']) => text);
      if (id !== undefined) return { xml: body, id, lines: texts };
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const respond = (id: string, response: string) =>
    post({
      ConnectionType: 'SetResponse',
      ResponseFile:
        '<?xml version="1.0" encoding="UTF-8"?><PrintResponseInfo Version="2.00"><ePOSPrint><Parameter>' +
        `<devid>local_printer</devid><printjobid>${id}</printjobid></Parameter><PrintResponse>` +
        `<response xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print" ${response}/>` +
        '</PrintResponse></ePOSPrint></PrintResponseInfo>',
    });
  const order = async (fields: object = {}) =>
    (await takeIn(service, tenant, { status: 'ACCEPTED', ...fields })).body;
  return { ...tenant, printer, post, getRequest, waitForJob, respond, order };
}

const FINE = 'success="true" code="" status="251658262" battery="0"';

it('prints what an Epson printer fetches, once it says that it has', async () => {
  const { getRequest, waitForJob, respond, order } = await open({ copies: 2 });
  const nothing = await getRequest();
  expect([nothing.status, nothing.body, nothing.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/xml; charset=utf-8',
  ]);
  await order({ items: [{ name: 'Fish & <chips>', quantity: 2 }] });
  const { xml, id, lines } = await waitForJob();
  expect(xml).toMatch(
    /^<\?xml version="1.0" encoding="utf-8"\?><PrintRequestInfo Version="2.00"><ePOSPrint><Parameter>/,
  );
  expect(lines[0]).toBe('NEW');
  expect(lines).toContain('2 x Fish &amp; &lt;chips&gt;');
  expect(lines.filter((line) => /^\d\/2$/.test(line))).toEqual(['1/2', '2/2']);
  expect(xml.match(/<cut type="feed"\/>/g)).toHaveLength(2);
  expect(xml).not.toContain('<pulse');
  expect(xml).toContain('<text width="2" height="2" em="true">No. 1&#10;</text>');
  expect((await respond(id, FINE)).status).toBe(200);
  expect((await getRequest()).body).toBe('');
});

it('prints tests and copies under ids that the printer takes', async () => {
  const { waitForJob, respond, order, manage, printer, key } = await open();
  const { id: orderId } = await order();
  const ids: string[] = [];
  const print = async () => {
    const { id, lines } = await waitForJob();
    ids.push(id);
    await respond(id, FINE);
    return lines[0];
  };
  expect(await print()).toBe('NEW');
  await manage('POST', `/printers/${printer.id}/test`);
  expect(await print()).toBe('Test print');
  const copied = await ask(`${service.url}/manage/v1/orders/${orderId}/print`, {
    method: 'POST',
    key,
    body: { printer_id: printer.id },
  });
  expect([copied.status, await print()]).toEqual([202, 'COPY']);
  for (const id of ids) expect(id).toMatch(/^[\w.-]{1,30}$/);
});

it('draws what the printer has no letters for', async () => {
  const { waitForJob, order } = await open();
  await order({ items: [{ name: 'ラーメン' }] });
  const { xml } = await waitForJob();
  const [, dots = ''] =
    /<image width="504" height="24" color="color_1" mode="mono">([^<]*)<\/image>/.exec(xml) ?? [];
  const { bytes } = await drawLines([{ text: '1 x ラーメン', isLarge: false, isBold: false }], 42);
  expect(Buffer.from(dots, 'base64')).toEqual(bytes);
});

it('sends no more than the 2 MB that a printer takes', async () => {
  const { waitForJob, order } = await open({ columns: 48 });
  await order({ items: Array.from({ length: 900 }, (_, i) => ({ name: `ラーメン ${i}` })) });
  const { xml } = await waitForJob();
  expect(Buffer.byteLength(xml)).toBeLessThan(2_000_000);
});

it('gives the ticket again, marked, while the printer has no paper', async () => {
  const { waitForJob, respond, order, manage, printer } = await open();
  await order();
  const { id } = await waitForJob();
  await respond(id, 'success="false" code="EPTR_REC_EMPTY" status="252182556"');
  expect((await manage('GET', `/printers/${printer.id}`)).body).toMatchObject({
    paper: 'out',
    trouble: 'paper_out',
    behind: 1,
  });
  const again = await waitForJob();
  expect([again.id, again.lines.slice(0, 2).join(' ')]).toEqual([id, 'NEW REPEAT, may be']);
  await respond(id, FINE);
  expect((await manage<object>('GET', `/printers/${printer.id}`)).body).toMatchObject({
    paper: 'ok',
    cover: 'closed',
    behind: 0,
  });
});

it('reads the status that a printer sends by itself', async () => {
  const { post, manage, printer } = await open();
  const status = (bits: string) =>
    post({
      ConnectionType: 'SetStatus',
      Status: `<?xml version="1.0"?><statusmonitor Version="1.00"><printerstatus devicename="bar_printer" asbstatus = "0x0F0A001C"/>
        <printerstatus devicename="local_printer" asbstatus = "${bits}"/></statusmonitor>`,
    });
  for (const [bits, words] of [
    ['0x0F000014', { paper: 'ok', cover: 'closed' }],
    ['0x0F020014', { paper: 'low', cover: 'closed' }],
    ['0x0F0A001C', { paper: 'out', trouble: 'paper_out' }],
    ['0x0F00003C', { cover: 'open', trouble: 'cover_open' }],
    ['0x00000001', { paper: 'unknown', cover: 'unknown', trouble: 'error' }],
  ] as const) {
    expect((await status(bits)).status).toBe(200);
    expect((await manage('GET', `/printers/${printer.id}`)).body).toMatchObject(words);
  }
});

it('shows that a printer may not print what it fetches', async () => {
  const { post, order, waitForJob, manage, printer } = await open();
  await order();
  const { id } = await waitForJob();
  const refused = await post({
    ConnectionType: 'SetResponse',
    ResponseFile:
      '<?xml version="1.0" encoding="UTF-8"?><PrintResponseInfo Version="3.00"><ServerDirectPrint>' +
      '<Response Success="false"><ErrorSummary>Not activated</ErrorSummary></Response></ServerDirectPrint></PrintResponseInfo>',
  });
  expect(refused.status).toBe(200);
  expect((await manage('GET', `/printers/${printer.id}`)).body).toMatchObject({
    trouble: 'error',
    behind: 1,
  });
  expect((await waitForJob()).id).toBe(id);
});

it('expands nothing in XML, and refuses what no printer sends', async () => {
  const { post, order, waitForJob, printer } = await open();
  await order();
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaa">${'<!ENTITY b "&a;&a;">'.repeat(20)}]><response success="true">&b;</response>`;
  for (const form of [
    { ConnectionType: 'SetResponse', ResponseFile: bomb },
    { ConnectionType: 'SetStatus', Status: bomb },
    { ConnectionType: 'SetResponse', ResponseFile: '' },
    { ConnectionType: 'SetResponse', ResponseFile: '<response success="true"' },
    { ConnectionType: 'Nonsense' },
    {},
  ])
    expect((await post(form as Record<string, string>)).status).toBe(400);
  expect((await post({ ConnectionType: 'SetStatus', Status: 'x'.repeat(10_000_000) })).status).toBe(413);
  for (const method of ['GET', 'DELETE']) expect((await ask(printer.url, { method })).status).toBe(404);
  expect((await waitForJob()).lines).toContain('1 x Latte');
});
