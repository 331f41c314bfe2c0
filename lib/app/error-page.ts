import type { ServiceError } from '../errors.ts'
import type { HttpEvent, Reply } from '../http/message.ts'
import { errorContent, pageMeant } from '../http/pages/error.ts'
import { iconsOf } from '../http/pages/html.ts'
import { barePage } from '../http/pages/page.ts'
import type { Manifest } from '../http/pages/site.ts'

/** JSON that the build inserts: the console's manifest under a name of its own, as every function has this page. */
declare const ERROR_PAGE_MANIFEST: string

/**
 * A failure as a page of the console; it needs no store, so that it is shown when that is down. An address that means a
 * page redirects there.
 */
export function errorPage(error: ServiceError, event: HttpEvent, baseUrl: URL, manifest = ERROR_PAGE_MANIFEST): Reply {
  const files: Manifest = JSON.parse(manifest)
  const meant = error.is('ENDPOINT_NOT_FOUND') ? pageMeant(event, files) : undefined
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
  // No call of `redirect()`: shared with this page, its module would be a chunk more at each start.
  if (meant !== undefined) return { statusCode: 302, headers: { location: `${meant}${query}` } }
  return barePage(files, errorContent(error, event, baseUrl, iconsOf(files)))
}
