import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Client, createClient } from '#sdk';
import { checkedUrl } from '../lib/command.js';
import type { Settings } from '../lib/settings.js';
import { type Finding, fine, remark, wrong } from './doctor-service.js';
import { DAY_MS } from '../../support/datetime.js';

const TIMEOUT_MS = 10_000;
const SOON_DAYS = 14;
const PROXY_PAGE = 'See docs/operating.md, "Behind a proxy".';

/** Checks what a guest's phone meets at the public address: the certificate, the proxy, and streams that are not held back. */
export async function examinePublic(address: string, { key }: Settings): Promise<Finding[]> {
  const url = checkedUrl(address);
  const findings = [await examineTls(new URL(url))];
  const client = createClient({ baseUrl: url, apiKey: key, timeoutSeconds: TIMEOUT_MS / 1000, retries: 0 });
  try {
    await client.request({ path: '/healthz' });
  } catch (error) {
    const todo = 'Does the name lead to the proxy, and the proxy to the service?';
    return [...findings, wrong(`${url}: ${(error as Error).message}`, todo)];
  }
  findings.push(fine(`The service answers at ${url}`));
  try {
    return [...findings, ...(await examineProxy(client, url)), await examineStream(client, url, key)];
  } catch (error) {
    const what = `Proxy and streams could not be checked: ${(error as Error).message}`;
    return [...findings, wrong(what, 'Pass a key of the service that may read.')];
  }
}

async function examineTls({ protocol, hostname, port }: URL): Promise<Finding> {
  if (protocol !== 'https:')
    return wrong(
      'The address has no https',
      'Put a proxy with a certificate in front of it (docs/phone-at-the-table.md).',
    );
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({
    host,
    port: Number(port || 443),
    servername: isIP(host) === 0 ? host : '',
    timeout: TIMEOUT_MS,
  });
  socket.once('timeout', () => socket.destroy(new Error('no answer')));
  try {
    await once(socket, 'secureConnect');
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    if (days >= SOON_DAYS) return fine(`The certificate is trusted, and valid for ${days} days`);
    return remark(`The certificate expires in ${days} days`, 'Check that the proxy renews it.');
  } catch (error) {
    return wrong(`No trusted connection: ${(error as Error).message}`, 'Check the certificate of the proxy.');
  } finally {
    socket.destroy();
  }
}

async function examineProxy(client: Client, url: string): Promise<Finding[]> {
  const { address, forwarded, public_url: publicUrl } = await client.describeConnection();
  const findings = [describeForwarded(address, forwarded)];
  if (publicUrl !== new URL(url).origin)
    findings.push(
      remark(
        `QR codes and sign-in links lead to ${publicUrl ?? 'the address of each request'}`,
        `Set COMANDA_PUBLIC_URL to ${new URL(url).origin}.`,
      ),
    );
  return findings;
}

function describeForwarded(address: string, forwarded: string): Finding {
  if (forwarded === 'trusted') return fine(`The service sees this machine as ${address}`);
  const what = `The service takes ${address} for the client`;
  return forwarded === 'ignored'
    ? wrong(`${what}: it does not trust the proxy`, `Add the proxy to COMANDA_TRUSTED_PROXIES. ${PROXY_PAGE}`)
    : wrong(`${what}: no X-Forwarded-For arrived`, `Let the proxy send it. ${PROXY_PAGE}`);
}

/** A stream sends its first message at once; a proxy that collects responses holds it back. */
async function examineStream(client: Client, url: string, key = ''): Promise<Finding> {
  const [store] = await client.listStores({ limit: 1 });
  if (store === undefined) return remark('Live streams were not checked', 'Create a store first.');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const stream = new URL(`/manage/v1/stores/${store.id}/events/stream`, url);
  try {
    const { body } = await fetch(stream, { headers: { 'x-api-key': key }, signal });
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return fine('Live streams are not held back');
  } catch (error) {
    if (!signal.aborted) throw error;
    return wrong(
      `A live stream brought nothing for ${TIMEOUT_MS / 1000} s`,
      `Switch off response buffering in the proxy. ${PROXY_PAGE}`,
    );
  }
}
