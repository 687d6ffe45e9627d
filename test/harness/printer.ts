import { ask, type Answer } from './client.js';
import type { Service } from './service.js';
import { createTenant, type Tenant } from './tenant.js';

export interface PrinterBody {
  readonly id: string;
  readonly url: string;
  readonly [more: string]: unknown;
}

/** A tenant whose key may do everything about printers. */
export async function openForPaper(service: Service) {
  const tenant = await createTenant(service, [
    'read',
    'menu:write',
    'stock:write',
    'orders:write',
    'store:write',
  ]);
  const manage = <T>(method: string, path: string, body?: object) =>
    ask<T>(`${service.url}/manage/v1/stores/${tenant.storeId}${path}`, { method, key: tenant.key, body });
  const addPrinter = async (more: object = {}): Promise<PrinterBody> => {
    const made = await manage<PrinterBody>('POST', '/printers', {
      label: 'Kitchen',
      protocol: 'cloudprnt',
      ...more,
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body;
  };
  const change = (orderId: string, patch: object) =>
    ask<{ revision: number; status: string }>(`${service.url}/manage/v1/orders/${orderId}`, {
      method: 'PATCH',
      key: tenant.key,
      body: patch,
    });
  return { ...tenant, manage, addPrinter, change };
}

export interface Poll {
  readonly jobReady: boolean;
  readonly mediaTypes?: readonly string[];
  readonly jobToken?: string;
}

/** A printer that speaks CloudPRNT, each instance with the memory of one device. */
export function createStarPrinter(url: string, mac = '00:11:62:00:00:01') {
  const poll = async (statusCode = '200%20OK', more: object = {}): Promise<Poll> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        status: '23 6 0 0 0 0 0 0 0',
        printerMAC: mac,
        statusCode,
        printingInProgress: false,
        ...more,
      }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Poll;
  };
  const get = async (
    type = 'text/plain',
    token = '',
  ): Promise<{ status: number; type: string | null; bytes: Buffer }> => {
    const answer = await fetch(`${url}?${new URLSearchParams({ mac, type, token }).toString()}`);
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  };
  const end = async (token: string, code = '200 OK'): Promise<number> =>
    (await fetch(`${url}?${new URLSearchParams({ mac, code, token }).toString()}`, { method: 'DELETE' }))
      .status;
  /** Polls until something is ready: a poll within a second of the last gets nothing. */
  const waitForJob = async (): Promise<Required<Poll>> => {
    for (;;) {
      const answer = await poll();
      if (answer.jobReady) return answer as Required<Poll>;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  /** Prints the next ticket as text and confirms it. */
  const print = async (type = 'text/plain'): Promise<string> => {
    const { jobToken } = await waitForJob();
    const { bytes } = await get(type, jobToken);
    await end(jobToken);
    return bytes.toString();
  };
  return { url, poll, get, end, waitForJob, print };
}

export type PaperTenant = Awaited<ReturnType<typeof openForPaper>>;
export type { Answer, Tenant };
