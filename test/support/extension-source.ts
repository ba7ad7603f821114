/** Returns the source of a service method with this body. */
export const createServiceSource = (method: string, body: string) =>
  `import { Refused, service, z } from "#extensions";
export const ${method} = service("Test", "${method}", { about: "A test.", input: z.unknown(), ` +
  `run: async (kith, input) => { ${body} } });\n`;
