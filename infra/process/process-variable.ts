/** For libraries that are configured by nothing else; before they are loaded. */
export function setProcessVariable(name: string, value: string): void {
  process.env[name] = value
}
