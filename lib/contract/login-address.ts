/**
 * The login page that returns to an address of this service.
 * @param returnTo its path and query
 * @param notice the name of the notice on the page
 */
export function loginAddress(returnTo: string, notice?: string): string {
  const parameters = [notice, returnTo === '/' ? undefined : `returnTo=${encodeURIComponent(returnTo)}`]
  const query = parameters.filter((parameter) => parameter !== undefined).join('&')
  return query === '' ? '/login' : `/login?${query}`
}
