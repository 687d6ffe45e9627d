import { describe, expect, it } from 'vitest';
import { ask } from '../harness/client.js';
import { item, menuClient } from '../harness/menu.js';
import { takeIn } from '../harness/orders.js';
import { createStarPrinter, openForPaper, type PrinterBody } from '../harness/printer.js';
import { useService } from '../harness/service.js';

const service = await useService();
const ACCEPTED = { status: 'ACCEPTED' };
const soup = { external_id: 'soup', name: 'Soup', quantity: 2, price: 400, tax: 40 };
const tea = { external_id: 'tea', name: 'Tea', quantity: 1, price: 200, tax: 20, comments: 'no sugar' };

async function open(more: object = {}) {
  const tenant = await openForPaper(service);
  const printer = await tenant.addPrinter(more);
  const star = createStarPrinter(printer.url);
  const order = async (fields: object = {}) =>
    (await takeIn(service, tenant, { ...ACCEPTED, ...fields })).body;
  return { ...tenant, printer, star, order };
}

describe('a printer that speaks CloudPRNT', () => {
  it('gets a ticket for a new order once it is accepted, and nothing after it has confirmed', async () => {
    const { star, order, change } = await open();
    expect(await star.poll()).toEqual({ jobReady: false });
    const { id } = await order({
      status: 'PENDING',
      items: [soup, tea],
      service: 'dine_in',
      customer_comments: 'Quick!',
    });
    await change(id, ACCEPTED);
    const job = await star.waitForJob();
    expect(job).toEqual({
      jobReady: true,
      mediaTypes: ['application/vnd.star.line', 'application/vnd.star.starprnt', 'text/plain'],
      jobToken: job.jobToken,
    });
    const { status, type, bytes } = await star.get('text/plain', job.jobToken);
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = bytes.toString().split('\n');
    expect(lines.slice(0, 4)).toEqual(['NEW', 'Centro', 'No. 1', 'Dine in']);
    expect(lines).toEqual(expect.arrayContaining(['2 x Soup', '1 x Tea', '  >> “no sugar”', '>> “Quick!”']));
    expect(await star.end(job.jobToken)).toBe(200);
    expect(await star.poll()).toEqual({ jobReady: false });
    await change(id, { status: 'READY' });
    await change(id, { status: 'FULFILLED' });
    expect((await star.get()).status).toBe(404);
  });

  it('prints before an order is accepted where it is told to', async () => {
    const { star, order } = await open({ on: 'created' });
    await order({ status: 'PENDING' });
    expect(await star.print()).toContain('1 x Latte');
  });

  it('says what was added and taken away, and that an order is cancelled', async () => {
    const { star, order, change } = await open();
    const { id } = await order({ items: [soup, tea] });
    await star.print();
    const cake = { external_id: 'cake', name: 'Cake', quantity: 1 };
    await change(id, { items: [{ ...soup, quantity: 3 }, cake], expected_revision: 1 });
    const ticket = (await star.print()).split('\n');
    expect(ticket[0]).toBe('CHANGED');
    const section = (from: string) => ticket.slice(ticket.indexOf(from) + 1).slice(0, 3);
    expect(section('ADDED').slice(0, 2)).toEqual(['1 x Soup', '1 x Cake']);
    expect(section('TAKEN AWAY').slice(0, 2)).toEqual(['1 x Tea', '  >> “no sugar”']);
    expect(ticket).toContain('3 x Soup');
    await change(id, { is_read: true });
    await change(id, { status: 'STORE_CANCELLED' });
    expect((await star.print()).split('\n')[0]).toBe('CANCELLED');
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('prints an order that changed before it was fetched once, as it is', async () => {
    const { star, order, change } = await open();
    const { id } = await order({ items: [soup], price: 800, tax: 80 });
    expect(await change(id, { items: [tea], expected_revision: 1 })).toMatchObject({ status: 200 });
    const ticket = await star.print();
    expect(ticket.split('\n')[0]).toBe('NEW');
    expect(ticket).not.toContain('Soup');
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('prints no old order because it is read, paid or erased, only once it has lines for its station', async () => {
    const { manage, order, change, addPrinter, key, storeId } = await open();
    const items = [item('soup'), item('tea'), item('latte')];
    await menuClient(service, { key, storeId }).post({ menus: [], categories: [], items });
    await manage('PATCH', '/menu/items', { items: [{ external_id: 'soup', prep_type: 'hot' }] });
    const done = await order({ status: 'FULFILLED' });
    const hot = await order({ items: [soup] });
    const [receipts, bar] = [
      createStarPrinter((await addPrinter({ prints: 'receipt' })).url),
      createStarPrinter((await addPrinter({ prep_types: ['bar'] })).url),
    ];
    expect((await change(done.id, { is_read: true })).status).toBe(200);
    for (const [path, body] of [
      [`orders/${done.id}/payments`, { method: 'cash', amount: 429 }],
      ['customers/erase', { order_ids: [done.id] }],
    ] as const) {
      const asked = { method: 'POST', key: service.operatorKey, body };
      expect((await ask(`${service.url}/manage/v1/${path}`, asked)).status).toBeLessThan(300);
    }
    expect((await change(hot.id, { in_pos: true })).status).toBe(200);
    expect((await change(hot.id, { items: [soup, tea], expected_revision: 2 })).status).toBe(200);
    const ticket = await bar.print();
    expect(ticket).toMatch(/^NEW\nCentro\nNo\. 2\n/);
    expect(ticket).toContain('1 x tea');
    await order();
    expect(await bar.print()).toMatch(/^NEW\nCentro\nNo\. 3\n/);
    expect(await receipts.print()).toMatch(/^NEW\nCentro\nNo\. 2\n/);
    expect(await receipts.print()).toMatch(/^NEW\nCentro\nNo\. 3\n/);
  });

  it('prints a changed order whose former lines are erased as it is now, once', async () => {
    const { star, order, change } = await open();
    const { id } = await order({ items: [soup] });
    await star.print();
    await change(id, { items: [soup, tea], expected_revision: 1 });
    const asked = { method: 'POST', key: service.operatorKey, body: { order_ids: [id] } };
    expect((await ask(`${service.url}/manage/v1/customers/erase`, asked)).status).toBe(200);
    const ticket = await star.print();
    expect(ticket).toMatch(/^CHANGED\nCentro\nNo\. 1\n/);
    expect(ticket).toMatch(/\n2 x Soup\n1 x Tea\n/);
    expect(ticket).not.toMatch(/ADDED|TAKEN AWAY/);
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('never prints an order that was cancelled before it was fetched', async () => {
    const { star, order, change } = await open();
    const { id } = await order();
    await change(id, { status: 'CUSTOMER_CANCELLED' });
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('marks what it fetched and did not confirm, whether it died or its confirmation was lost', async () => {
    const { star, order } = await open();
    await order();
    const { jobToken } = await star.waitForJob();
    expect((await star.get('text/plain', jobToken)).bytes.toString()).not.toContain('REPEAT');
    const again = await star.waitForJob();
    expect(again.jobToken).toBe(jobToken);
    expect((await star.get('text/plain', jobToken)).bytes.toString()).toMatch(/^NEW\nREPEAT/);
    expect(await star.end(jobToken)).toBe(200);
    expect(await star.end(jobToken)).toBe(200);
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('fetches nothing with HEAD, which tells what GET would', async () => {
    const { star, order } = await open();
    await order();
    const head = async (token: string) => {
      const { status, headers } = await fetch(`${star.url}?type=text/plain&token=${token}`, {
        method: 'HEAD',
      });
      return [status, headers.get('content-type'), headers.get('content-length')];
    };
    expect((await head('')).slice(0, 2)).toEqual([200, 'text/plain; charset=utf-8']);
    const { jobToken } = await star.waitForJob();
    const [before] = [await head(jobToken), await head(jobToken)];
    const { status, type, bytes } = await star.get('text/plain', jobToken);
    expect(before).toEqual([status, type, String(bytes.length)]);
    expect(bytes.toString()).not.toContain('REPEAT');
    expect(await star.end(jobToken)).toBe(200);
    expect((await head(''))[0]).toBe(404);
  });

  it('gets what it may have printed again as it was, and only then what has changed since', async () => {
    const { star, order, change } = await open();
    const { id } = await order({ items: [soup], customer_comments: 'Quick!', price: 800, tax: 80 });
    const first = await star.waitForJob();
    const { bytes } = await star.get('text/plain', first.jobToken);
    const added = { items: [soup, tea], customer_comments: 'Slow!', expected_revision: 1 };
    expect((await change(id, added)).status).toBe(200);
    expect(await star.print()).toBe(
      bytes.toString().replace('NEW\n', 'NEW\nREPEAT, may be\nprinted already\n'),
    );
    const second = await star.waitForJob();
    const { bytes: changed } = await star.get('text/plain', second.jobToken);
    expect(changed.toString()).toMatch(/^CHANGED\nCentro\n[^]*\nADDED\n1 x Tea\n[^]*>> “Slow!”/);
    await change(id, { items: [soup], customer_comments: 'Quick!', expected_revision: 2 });
    expect(await star.print()).toBe(
      changed.toString().replace('CHANGED\n', 'CHANGED\nREPEAT, may be\nprinted already\n'),
    );
    expect(await star.print()).toMatch(/^CHANGED\nCentro\n[^]*\nTAKEN AWAY\n1 x Tea\n[^]*>> “Quick!”/);
    await change(id, { customer_comments: 'Slow!' });
    await change(id, { customer_comments: 'Quick!' });
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('gets nothing that overtakes what it may have printed', async () => {
    const { star, order, change } = await open();
    const { id } = await order({ status: 'PENDING', items: [soup] });
    await order({ items: [tea] });
    const { jobToken } = await star.waitForJob();
    await star.get('text/plain', jobToken);
    await change(id, ACCEPTED);
    expect(await star.print()).toMatch(/^NEW\nREPEAT[^]*\n1 x Tea\n/);
    expect(await star.print()).toMatch(/^NEW\nCentro\n[^]*\n2 x Soup\n/);
  });

  it('prints a test although what it fetched is no longer to be printed', async () => {
    const { star, printer, order, change, manage } = await open();
    const { id } = await order();
    await star.get('text/plain', (await star.waitForJob()).jobToken);
    await change(id, { status: 'FULFILLED' });
    expect(await star.poll()).toEqual({ jobReady: false });
    await manage('POST', `/printers/${printer.id}/test`);
    expect(await star.print()).toMatch(/^Test print\n/);
  });

  it('tells that an order is cancelled which it may have printed without a confirmation', async () => {
    const { star, order, change } = await open();
    const { id } = await order();
    const { jobToken } = await star.waitForJob();
    await star.get('text/plain', jobToken);
    await change(id, { status: 'STORE_CANCELLED' });
    expect((await star.print()).split('\n')[0]).toBe('CANCELLED');
  });

  it('offers another form after 510, and the same again after 520, unmarked because nothing was printed', async () => {
    const { star, order } = await open();
    await order();
    const { jobToken } = await star.waitForJob();
    await star.get('application/vnd.star.line', jobToken);
    await star.end(jobToken, '510 Incompatible media');
    const second = await star.waitForJob();
    expect(second.mediaTypes).toEqual(['application/vnd.star.starprnt', 'text/plain']);
    await star.get('text/plain', jobToken);
    await star.end(jobToken, '520 Timeout');
    const third = await star.waitForJob();
    expect(third).toEqual(second);
    expect((await star.get('text/plain', jobToken)).bytes.toString()).not.toContain('REPEAT');
    // This one may be on paper, whatever is said of the next.
    await star.get('text/plain', (await star.waitForJob()).jobToken);
    for (let times = 0; times < 2; times += 1) await star.end(jobToken, '520 Timeout');
    expect(await star.print()).toMatch(/^NEW\nREPEAT/);
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('offers a picture to a printer that reads no text, and tells of one that reads nothing', async () => {
    const { star, order, printer, manage, key, storeId } = await open();
    const troubles = async () => {
      const { body } = await ask<{ events: { type: string; data: { trouble?: string } }[] }>(
        `${service.url}/manage/v1/stores/${storeId}/events?types=printer.trouble,printer.recovered`,
        { key },
      );
      return body.events.map(({ type, data }) => [type, data.trouble]);
    };
    await order();
    const { jobToken } = await star.waitForJob();
    await star.get('application/vnd.star.starprnt', jobToken);
    await star.end(jobToken, '511 Media decoding error');
    // Printers that know none of the forms fetch none.
    expect((await star.waitForJob()).mediaTypes).toEqual(['application/vnd.star.line', 'text/plain']);
    await star.end(jobToken, '510 Incompatible media type');
    expect((await star.waitForJob()).mediaTypes).toEqual(['image/png']);
    expect(await troubles()).toEqual([]);
    await star.get('image/png', jobToken);
    await star.end(jobToken, '521 Job too large');
    for (let times = 0; times < 2; times += 1) {
      expect((await star.waitForJob()).mediaTypes[0]).toBe('application/vnd.star.line');
      await star.end(jobToken, '510 Incompatible media type');
    }
    await star.poll();
    expect(await troubles()).toEqual([['printer.trouble', 'error']]);
    expect((await manage('GET', `/printers/${printer.id}`)).body).toMatchObject({
      trouble: 'error',
      behind: 1,
    });
    expect(await star.print()).toMatch(/^NEW\nCentro/);
    await star.poll();
    expect(await troubles()).toEqual([
      ['printer.trouble', 'error'],
      ['printer.recovered', undefined],
    ]);
  });

  it('tells of a ticket that it never gets whole', async () => {
    const { star, order, printer, manage } = await open();
    await order();
    const { jobToken } = await star.waitForJob();
    for (let times = 0; times < 4; times += 1) {
      await star.get('text/plain', jobToken);
      await star.end(jobToken, '520 Timeout');
    }
    await star.poll();
    expect((await manage('GET', `/printers/${printer.id}`)).body).toMatchObject({ trouble: 'error' });
  });

  it('confirms with any code of success, and only the job that it was offered', async () => {
    const { star, order, change } = await open();
    const { id } = await order({ items: [soup] });
    await order({ items: [tea] });
    const first = await star.waitForJob();
    await change(id, { status: 'STORE_CANCELLED' });
    expect((await star.get('text/plain', first.jobToken)).status).toBe(404);
    expect(await star.end(first.jobToken, '520 Timeout')).toBe(200);
    const second = await star.waitForJob();
    const { bytes } = await star.get('text/plain', second.jobToken);
    expect(bytes.toString()).toMatch(/^NEW\nCentro[^]*1 x Tea/);
    expect(await star.end(second.jobToken, 'OK')).toBe(200);
    expect(await star.poll()).toEqual({ jobReady: false });
    expect((await star.get()).status).toBe(404);
  });

  it('tells nothing of an order that was cancelled after it was refused', async () => {
    const { star, order, change } = await open();
    const { id } = await order();
    const { jobToken } = await star.waitForJob();
    await star.get('text/plain', jobToken);
    await star.end(jobToken, '520 Timeout');
    await change(id, { status: 'STORE_CANCELLED' });
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('gets a picture of letters that code pages lack, in the language it is set to, and text if it refuses pictures', async () => {
    const { star, order, ...tenant } = await open({ language: 'ja' });
    const translations = { en: 'Ramen', ja: 'ラーメン' };
    await menuClient(service, tenant).post({
      menus: [],
      categories: [],
      items: [item('ramen', { name: { translations } })],
    });
    await order({ items: [{ external_id: 'ramen', name: 'Ramen', quantity: 1 }] });
    const { mediaTypes, jobToken } = await star.waitForJob();
    expect(mediaTypes).toEqual(['image/png']);
    const { type, bytes } = await star.get('image/png', jobToken);
    expect([type, bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16)]).toEqual(['image/png', 'PNG', 504]);
    await star.end(jobToken, '510 Incompatible media');
    expect((await star.waitForJob()).mediaTypes).toEqual(['text/plain']);
    expect((await star.get('text/plain', jobToken)).bytes.toString()).toContain('1 x ラーメン');
    await star.end(jobToken);
    // Each of its lines would take kilobytes.
    const comments = 'ラ '.repeat(16_000);
    await order({ items: [{ name: 'Soup', quantity: 1, comments }] });
    const long = await star.waitForJob();
    expect(long.mediaTypes[0]).toBe('application/vnd.star.line');
    expect((await star.get('image/png', long.jobToken)).status).toBe(415);
  });

  it('gives an order to one of two devices with the same address', async () => {
    const { star, order, printer } = await open();
    const other = createStarPrinter(printer.url, '00:11:62:00:00:02');
    await order();
    const { jobToken } = await other.waitForJob();
    await star.get('text/plain', jobToken);
    expect(await other.poll()).toEqual({ jobReady: false });
    // What the other did not get says nothing about what the first may have printed.
    for (const code of ['520 Timeout', '510 Incompatible media type']) {
      expect((await other.get('text/plain', jobToken)).status).toBe(404);
      await other.end(jobToken, code);
    }
    expect((await star.get('text/plain', jobToken)).bytes.toString()).toMatch(/^NEW\nREPEAT/);
    await star.end(jobToken);
    expect((await other.get('text/plain', jobToken)).status).toBe(404);
  });

  it('gives two printers of a store their own tickets of an order, by station and service', async () => {
    const { manage, star, order, addPrinter, key, storeId } = await open({ prep_types: ['hot'] });
    const names = (en: string, es: string) => ({ name: { translations: { en, es } } });
    const menu = {
      menus: [],
      categories: [],
      items: [
        item('soup', { ...names('Hot soup', 'Sopa'), allergens: 'milk, celery' }),
        item('tea', { ...names('Green tea', 'Té verde') }),
        item('bread'),
      ],
    };
    expect((await menuClient(service, { key, storeId }).post(menu)).status).toBe(200);
    await manage('PATCH', '/menu/items', {
      items: [
        { external_id: 'soup', prep_type: 'hot' },
        { external_id: 'tea', prep_type: 'bar' },
      ],
    });
    const bar = createStarPrinter(
      (await addPrinter({ prep_types: ['bar'], language: 'es', services: ['dine_in'] })).url,
    );
    await order({ items: [soup, tea, { external_id: 'bread' }], service: 'dine_in' });
    const hot = await star.print();
    expect(hot).toContain('2 x Hot soup\n  Contains: Milk, Celery\n1 x bread\n+ 1 at bar\n');
    expect(hot).not.toContain('tea');
    const drinks = await bar.print();
    expect(drinks).toContain('NUEVO\nCentro\nN.º 1\nEn el local\n');
    expect(drinks).toContain('1 x Té verde\n  >> “no sugar”\n1 x bread\n+ 2 en hot\n');
    await order({ items: [soup], service: 'delivery' });
    expect(await star.print()).toContain('2 x Hot soup');
    await order({ items: [tea], service: 'delivery' });
    expect(await bar.poll()).toEqual({ jobReady: false });
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('is behind by the orders that it has yet to print, not by those of others', async () => {
    const { manage, order, change, key, storeId, printer } = await open({
      prep_types: ['hot'],
      services: ['pickup'],
    });
    const items = [item('soup'), item('tea')];
    await menuClient(service, { key, storeId }).post({ menus: [], categories: [], items });
    const prepTypes = {
      items: ['soup', 'tea'].map((id, i) => ({ external_id: id, prep_type: ['hot', 'bar'][i] })),
    };
    expect((await manage('PATCH', '/menu/items', prepTypes)).status).toBe(200);
    const behind = async () => {
      const { body } = await manage<{ behind: number; oldest_at?: string }>('GET', `/printers/${printer.id}`);
      return [body.behind, body.oldest_at];
    };
    await order({ items: [tea], service: 'pickup' });
    await order({ items: [soup], service: 'delivery' });
    await order({ items: [soup], service: 'pickup', status: 'PENDING' });
    const cancelled = await order({ items: [soup], service: 'pickup' });
    await change(cancelled.id, { status: 'STORE_CANCELLED' });
    expect(await behind()).toEqual([0, undefined]);
    const { id, created_at: at } = await order({ items: [soup], service: 'pickup' });
    await change(id, { items: [soup, tea], expected_revision: 1 });
    expect(await behind()).toEqual([1, expect.stringContaining(at.slice(0, 16))]);
  });

  it('prints a copy and a test on demand', async () => {
    const { star, order, change, printer, manage, key } = await open();
    const { id } = await order();
    await star.print();
    const copy = async () => {
      const body = { printer_id: printer.id };
      const copied = await ask(`${service.url}/manage/v1/orders/${id}/print`, { method: 'POST', key, body });
      expect([copied.status, copied.body]).toEqual([202, '']);
      return (await star.print()).split('\n').slice(0, 3);
    };
    expect(await copy()).toEqual(['COPY', 'Centro', 'No. 1']);
    await change(id, { status: 'STORE_CANCELLED' });
    expect((await star.print()).split('\n')[0]).toBe('CANCELLED');
    expect(await copy()).toEqual(['COPY', 'CANCELLED', 'Centro']);
    expect((await manage('POST', `/printers/${printer.id}/test`)).status).toBe(202);
    expect((await star.print()).split('\n')[0]).toBe('Test print');
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('lists on one slip what waited longer than two hours', async () => {
    const { star, order, change } = await open();
    for (let made = 0; made < 3; made += 1) await order();
    await service.db.query({
      name: 'test-age',
      text: 'UPDATE events SET at = $1 WHERE store_key = (SELECT max(store_key) FROM stores)',
      values: [new Date(Date.now() - 3 * 3_600_000)],
    });
    const { id } = await order();
    const slip = await star.print();
    expect(slip).toMatch(/^Centro\nNot printed in time/);
    expect(slip.match(/No\. \d/g)).toEqual(['No. 1', 'No. 2', 'No. 3']);
    expect(await star.print()).toContain('No. 4');
    await change(id, { status: 'READY' });
    expect(await star.poll()).toEqual({ jobReady: false });
  });

  it('asked ten times a second, has a job once a second', async () => {
    const { star, order } = await open();
    await order();
    const answers = [];
    const begun = performance.now();
    for (let asked = 0; asked < 10; asked += 1) answers.push(await star.poll());
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    expect(answers[0]?.jobReady).toBe(true);
    expect(answers.filter(({ jobReady }) => jobReady).length).toBeLessThanOrEqual(seconds);
  });

  it('shows its state in words, and events tell of trouble and its end', async () => {
    const { star, order, printer, manage, key, storeId } = await open();
    await order();
    await star.poll('410%20Out%20of%20paper');
    expect((await manage('GET', `/printers/${printer.id}`)).body).toMatchObject({
      ...{ online: true, paper: 'out', cover: 'closed', behind: 1, trouble: 'paper_out' },
      ...{ last_poll_at: expect.any(String) as unknown, oldest_at: expect.any(String) as unknown },
    });
    await star.poll('420%20Cover%20open');
    await star.poll('210%20Paper%20Low');
    const { body: shown } = await manage<Record<string, unknown>>('GET', `/printers/${printer.id}`);
    expect([shown['paper'], shown['cover'], shown['trouble']]).toEqual(['low', 'closed', undefined]);
    const { body } = await ask<{ events: { type: string; data: object }[] }>(
      `${service.url}/manage/v1/stores/${storeId}/events?types=printer.trouble,printer.recovered`,
      { key },
    );
    const told = { printer_id: printer.id, behind: 1, key_id: null };
    expect(body.events.map(({ type, data }) => [type, data])).toEqual([
      ['printer.trouble', { ...told, trouble: 'paper_out' }],
      ['printer.trouble', { ...told, trouble: 'cover_open' }],
      ['printer.recovered', told],
    ]);
  });
});

describe('an address that opens nothing', () => {
  it('gets the same 404 for a code that is unknown, in the wrong case, rotated, or of another kind of request', async () => {
    const { printer, manage } = await open();
    const rotated = await manage<PrinterBody>('POST', `/printers/${printer.id}/rotate`);
    const at = `${service.url}/print/`;
    const codes = [
      printer.url.slice(-26),
      rotated.body.url.slice(-26).toUpperCase(),
      'a',
      'a'.repeat(26),
      '%00',
      'a'.repeat(5000),
    ];
    for (const code of codes)
      for (const method of ['POST', 'GET', 'DELETE']) {
        const answer = await ask(at + code, {
          method,
          body: method === 'POST' ? { statusCode: '200' } : undefined,
        });
        expect([code.length, method, answer.status, answer.body]).toEqual([
          code.length,
          method,
          404,
          { detail: 'Printer not found' },
        ]);
      }
    expect(await createStarPrinter(rotated.body.url).poll()).toEqual({ jobReady: false });
  });

  it('refuses what no printer sends', async () => {
    const { printer, star, order } = await open();
    await order();
    const post = (body: string) => ask(printer.url, { method: 'POST', body });
    for (const body of ['', '{', '5', 'null', '"x"', '<a/>'])
      expect([body, (await post(body)).status]).toEqual([body, 400]);
    expect((await post(JSON.stringify({ statusCode: 5, printerMAC: {} }))).status).toBe(200);
    const large = await post(JSON.stringify({ status: 'x'.repeat(10 * 1024 * 1024) }));
    expect([large.status, large.body]).toEqual([413, { detail: 'The body is larger than 8192 bytes' }]);
    expect((await star.get('application/pdf')).status).toBe(415);
    expect(await star.end('event-1', 'nonsense')).toBe(200);
    expect(await star.end('event-99')).toBe(200);
    expect(await star.print()).toContain('1 x Latte');
  });
});
