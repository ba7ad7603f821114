import type { Definition, Step } from "../automation-definition.ts";

/**
 * The position of a run: the step lists it is in, the outermost first, each with the index of its next step.
 * A loop repeats its list for each item.
 */
export type RunPosition = PositionFrame[];
export type PositionFrame = {
  list: string;
  next: number;
  loop?: { as: string; items: unknown[]; round: number };
};

export const START_POSITION: RunPosition = [{ list: "steps", next: 0 }];

/** Returns the step list at a path such as `steps.2.do`. */
function getStepList({ steps }: Definition, path: string): Step[] {
  const [, ...parts] = path.split(".");
  let at = steps;
  for (let n = 0; n < parts.length; n += 2) at = Reflect.get(at[Number(parts[n])]!, parts[n + 1]!);
  return at;
}

/** Returns the next step with its path and its position; null at the end. */
export function findNextStep(
  definition: Definition,
  position: RunPosition,
): { step: Step; path: string; position: RunPosition } | null {
  const frames = position.map((frame) => ({ ...frame }));
  for (let top = frames.at(-1); top; top = frames.at(-1)) {
    const list = getStepList(definition, top.list);
    const step = list[top.next];
    if (step) return { step, path: `${top.list}.${top.next}`, position: frames };
    if (top.loop && list.length > 0 && top.loop.round + 1 < top.loop.items.length) {
      top.loop = { ...top.loop, round: top.loop.round + 1 };
      top.next = 0;
    } else frames.pop();
  }
  return null;
}

/** Returns the position after the current step; `into` are lists that the step enters. */
export const advancePosition = (position: RunPosition, ...into: PositionFrame[]): RunPosition => [
  ...position.slice(0, -1),
  { ...position.at(-1)!, next: position.at(-1)!.next + 1 },
  ...into,
];

/** Values of the loop variables at a position. */
export function loopVariables(position: RunPosition): Record<string, unknown> {
  const bound: Record<string, unknown> = {};
  for (const { loop } of position)
    if (loop)
      Object.assign(bound, {
        [loop.as]: loop.items[loop.round] ?? null,
        loop: { round: loop.round, of: loop.items.length },
      });
  return bound;
}
