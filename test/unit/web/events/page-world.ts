import { vi } from 'vitest'
import { FACTS_ID } from '../../../../lib/contract/console.ts'

const FACTS = {
  csrfToken: 'random.signature',
  user: { username: 'Alice', roles: ['ROLE_ADMIN'] },
  icons: '/assets/icons.svg',
  demoUsers: [],
  stompUrl: null,
}

/** What modules of the page find around them in a browser, at an address. @param hidden a hidden page reads nothing */
export function aroundPage(search = '', { hidden = true } = {}) {
  const stored = new Map<string, string>()
  const history = { state: null as unknown, pushState: vi.fn(), replaceState: vi.fn() }
  const listeners = new Map<string, (event: object) => void>()
  const location = { search, pathname: '/console/webhooks' }
  vi.stubGlobal('document', {
    hidden,
    addEventListener: () => {},
    getElementById: (id: string) => (id === FACTS_ID ? { textContent: JSON.stringify(FACTS) } : null),
  })
  vi.stubGlobal('location', location)
  vi.stubGlobal('history', history)
  vi.stubGlobal('addEventListener', (name: string, listener: (event: object) => void) => listeners.set(name, listener))
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  })
  return { history, listeners, location, stored }
}
