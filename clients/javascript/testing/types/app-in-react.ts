import { createCairn, Screens, useStep, type ScreenProps, type ScreensProps } from "cairn-client/react";
import type { AppOf, Session } from "cairn-client";
import type { ComponentType, MouseEvent } from "react";
import type { Facts, Screen, Step } from "delivery-types";

type App = AppOf<Step, Screen, Facts>;
const cairn = createCairn<App>();

const restaurant = ({ node, params, content }: ScreenProps<App, "restaurant">) => {
  const id: number = params.restaurantId;
  const name: "restaurant" = node.name;
  // @ts-expect-error no such param
  console.log(id, name, content?.status, params.dishId);
  // @ts-expect-error the type has no `presented`, because the node may be that of an earlier tree
  console.log(node.presented);
  return null;
};
const any: ComponentType<{ node: { name: string } }> = ({ node }) => (console.log(node.name), null);

export function screens(all: { [Name in Screen["screen"]]: ComponentType<ScreenProps<App, Name>> }): void {
  cairn.Screens({ of: all });
  cairn.Screens({ of: { ...all, restaurant }, keepMounted: true });
  cairn.Screens({ of: { restaurant }, fallback: any });
  const { payment, ...others } = all;
  // @ts-expect-error a screen is missing, and there is no fallback
  cairn.Screens({ of: others });
  // @ts-expect-error the params of another screen
  cairn.Screens({ of: { dish: restaurant }, fallback: any });
  // @ts-expect-error no such screen
  cairn.Screens({ of: { supermarket: any }, fallback: any });
  cairn.Screens({
    of: all,
    containers: {
      tabs: ({ node, children }) => (console.log(node.selected, node.children[0]?.name, children), null),
      modal: ({ node, isTop }) => (console.log(node.style, isTop), null),
      pane: ({ isHidden }) => (console.log(isHidden), null),
    },
  });
  // @ts-expect-error no such container
  cairn.Screens({ of: all, containers: { drawer: any } });
  const untyped: ScreensProps = { of: { anything: any } };
  Screens(untyped);
}

export async function use(session: Session<App>): Promise<void> {
  cairn.SessionProvider({ session, onProblem: (problem) => console.log(problem.code), children: "text" });
  const pick = cairn.useStep("restaurantPicked");
  await pick({ restaurantId: 1 });
  // @ts-expect-error a param is missing
  await pick();
  // @ts-expect-error the param has another type
  await pick({ restaurantId: "1" });
  // @ts-expect-error an event cannot be the params of a step
  const wrong: (event: MouseEvent) => void = pick;
  // @ts-expect-error no such step
  cairn.useStep("nothing");
  const checkOut = cairn.useStep("checkoutRequested");
  const handler: (event: MouseEvent) => void = checkOut;
  console.log(handler, wrong);
  const answer = await checkOut();
  if (answer?.outcome === "stale") console.log(answer.reason);
  const isOnDish: boolean = cairn.useSession(({ visible }) => visible?.screen === "dish");
  // @ts-expect-error no such screen
  cairn.useSession(({ visible }) => visible?.screen === "supermarket");
  const ids: string[] = cairn.useSession(({ stack }) => stack.map(({ id }) => id), (before, after) => before.length === after.length);
  const loggedIn: boolean | undefined = cairn.useSession().facts.accessToken;
  console.log(isOnDish, ids, loggedIn);
  const { act, back, popTo, select } = cairn.useActions();
  await back({ ifMatch: true });
  await select(1);
  await popTo("restaurant");
  // @ts-expect-error no such screen
  await popTo("supermarket");
  const acted = await act({ type: "select", tab: 1 });
  console.log(acted?.outcome, (await act([{ type: "back" }]))?.answers.length);
  await useStep("anything")({ goes: 1 });
}
