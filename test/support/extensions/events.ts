import { on, z } from "#extensions";
export const tea = on("tea", {
  input: z.object({ cups: z.number() }),
  run: (_, { cups }) => ({ cups: cups * 2 }),
});
export const rain = on("rain", { input: z.unknown(), run: (_, args) => args });
