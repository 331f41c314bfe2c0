import { fail } from '../../lib/errors.ts'
import { noContent, ok, type Reply } from '../../lib/http/message.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import type { Book } from './book.ts'
import { clientName } from './client-name.ts'
import description from './openapi.json' with { type: 'json' }
import { labPage, labSprite, labStyle } from './page.ts'
import { clientReport } from './report.ts'

interface Parts {
  readonly book: Book
  readonly clock: Clock
  /** Where clients reach the service. */
  readonly baseUrl: URL
}

type Answer = (name: string) => Reply | Promise<Reply>
type Resource = Readonly<Partial<Record<string, Answer>>>

const REPORT = /^\/lab\/report\/([^/]+)$/

/** What the lab itself serves: its page, its description, and the reports. */
export function labResources({ book, clock, baseUrl }: Parts): (method: string, path: string) => Promise<Reply> {
  const report: Resource = {
    GET: (name) => ok(clientReport(name, book, clock)),
    DELETE(name) {
      book.forget(name)
      return noContent()
    },
  }
  const resources: Readonly<Record<string, Resource>> = {
    '/lab': {
      GET: () =>
        labPage(
          book.clients.map((name) => clientReport(name, book, clock)),
          baseUrl,
        ),
    },
    '/lab/openapi.json': { GET: () => ok(description) },
    '/lab/style.css': { GET: labStyle },
    '/lab/icons.svg': { GET: labSprite },
  }

  function find(path: string): { readonly resource: Resource | undefined; readonly name: string } {
    const [, given] = REPORT.exec(path) ?? []
    if (given !== undefined) return { resource: report, name: clientName(given, 'name') }
    return { resource: Object.hasOwn(resources, path) ? resources[path] : undefined, name: '' }
  }

  return async (requestMethod, path) => {
    const { resource, name } = find(path)
    if (!resource) throw fail('ENDPOINT_NOT_FOUND')
    const answer = resource[requestMethod]
    if (answer) return answer(name)
    throw fail('METHOD_NOT_SUPPORTED', { requestMethod, supportedMethods: Object.keys(resource).sort() })
  }
}
