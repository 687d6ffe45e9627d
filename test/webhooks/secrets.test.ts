import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSecretBox, createSigningSecret, signMessage } from '../../src/webhooks/secrets.js';

describe('a signature', () => {
  it('is what Standard Webhooks verifies, whatever the body', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.json(), (uuid, body) => {
        const secret = createSigningSecret();
        const id = `evt_${uuid}`;
        const timestamp = Math.floor(Date.now() / 1_000);
        const signature = signMessage([secret], { id, timestamp, body });
        expect(signature).toBe(new Webhook(secret).sign(id, new Date(timestamp * 1_000), body));
        const headers = {
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signature,
        };
        expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(createSigningSecret()).verify(body, headers)).toThrow();
      }),
    );
  });

  it('holds for either secret while one replaces the other', () => {
    const secrets = [createSigningSecret(), createSigningSecret()];
    const message = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1_000), body: '{"ok":true}' };
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signMessage(secrets, message),
    };
    for (const secret of secrets)
      expect(new Webhook(secret).verify(message.body, headers)).toEqual({ ok: true });
  });

  it('is made with a secret of 32 bytes that never repeats', () => {
    const secrets = Array.from({ length: 100 }, createSigningSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});

describe('a sealed secret', () => {
  const key = 'k'.repeat(32);

  it('opens with the same key, also in another process, and shows nothing of the text', () => {
    const sealed = createSecretBox(key).seal('whsec_abc', 'here');
    expect(createSecretBox(key).open(sealed, 'here')).toBe('whsec_abc');
    expect(sealed.toString('latin1')).not.toContain('whsec');
    expect(createSecretBox(key).seal('whsec_abc', 'here').equals(sealed)).toBe(false);
  });

  it('does not open with another key, elsewhere, or when a bit of it has changed', () => {
    const box = createSecretBox(key);
    const sealed = box.seal('whsec_abc', 'here');
    expect(() => createSecretBox('x'.repeat(32)).open(sealed, 'here')).toThrow();
    expect(() => box.open(sealed, 'there')).toThrow();
    for (let i = 0; i < sealed.length; i += 1) {
      const damaged = Buffer.from(sealed);
      damaged.writeUInt8(damaged.readUInt8(i) ^ 1, i);
      expect(() => box.open(damaged, 'here')).toThrow();
    }
    expect(() => box.open(sealed.subarray(0, 20), 'here')).toThrow();
  });

  it('names its key without giving it away', () => {
    expect(createSecretBox(key).id).toBe(createSecretBox(key).id);
    expect(createSecretBox(key).id).toMatch(/^[0-9a-f]{16}$/);
    expect(createSecretBox(key).id).not.toBe(createSecretBox('x'.repeat(32)).id);
  });
});
