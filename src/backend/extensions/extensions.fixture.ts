/** A service that does this with what it is sent. */
export const doing = (method: string, body: string) =>
  `import { Refused, service, z } from "#extensions";
export const ${method} = service("Test", "${method}", { about: "A test.", input: z.any(), run: async (kith, input) => { ${body} } });\n`;
