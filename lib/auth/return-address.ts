/** The paths of pages stay far below this limit; a cookie carries the address, so it must be short. */
const MAXIMUM_LENGTH = 300

/** One slash, then printable ASCII without a backslash: browsers read `//`, `/\` and a tab between them as a host. */
const LOCAL_PATH = /^\/(?![/\\])[!-[\]-~]*$/

/** The page after a login: the requested path if it is one of this service, else the start page. */
export function returnAddress(wanted: string | undefined, baseUrl: URL): string {
  return wanted !== undefined && isOurs(wanted, baseUrl) ? wanted : '/'
}

function isOurs(wanted: string, baseUrl: URL): boolean {
  if (wanted.length > MAXIMUM_LENGTH || !LOCAL_PATH.test(wanted) || !URL.canParse(wanted, baseUrl.href)) return false
  return new URL(wanted, baseUrl).origin === baseUrl.origin
}
