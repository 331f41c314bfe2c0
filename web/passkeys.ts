import { CallRefused } from './problem.ts'

/** Whether the browser has passkeys, and reads and writes them as JSON (Web Authentication Level 3). */
export const hasPasskeys = typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function'

/** Has the user make a passkey. @throws CallRefused */
export function createPasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  return credentialOf(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  )
}

/** Has the user choose a passkey. @throws CallRefused */
export function choosePasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  return credentialOf(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  )
}

/** By the names of the errors. */
const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The prompt for a passkey was canceled, or it timed out.',
  InvalidStateError: 'This device already has a passkey of your account.',
}

async function credentialOf(ask: () => Promise<Credential | null>): Promise<object> {
  try {
    return ((await ask()) as PublicKeyCredential).toJSON()
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    throw new CallRefused(PROBLEMS[name] ?? 'The browser cannot use a passkey here.', { cause: error })
  }
}
