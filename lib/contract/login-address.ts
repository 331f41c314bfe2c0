/**
 * The login page that leads back to an address of ours.
 * @param returnTo its path and query
 * @param notice the name of what the page says
 */
export function loginAddress(returnTo: string, notice?: string): string {
  const parameters = [notice, returnTo === '/' ? undefined : `returnTo=${encodeURIComponent(returnTo)}`]
  const query = parameters.filter((parameter) => parameter !== undefined).join('&')
  return query === '' ? '/login' : `/login?${query}`
}
