/** What the names of a function's resources begin with in the stack, as the deployment engine makes them. */
export function logicalIdOf(functionName: string): string {
  return functionName.charAt(0).toUpperCase() + functionName.slice(1)
}
