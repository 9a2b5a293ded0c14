// The address of the page: which round is shown, and what Back leads to.

export const ROUND = "round"; // where the address of the page says which round is shown
export const VISITED = "mpgk-visited"; // where the browser remembers that the rounds were played
const ONE_MOVE = 1000; // milliseconds within which steps of a slider are one move

// A browser may forbid to remember anything; then every visit is like the first without playing.
export function isRemembered(key) {
  try {
    const found = localStorage.getItem(key) !== null;
    localStorage.setItem(key, "yes");
    return found;
  } catch {
    return true;
  }
}

export function roundOfAddress() {
  const word = new URLSearchParams(location.search).get(ROUND) ?? "";
  return /^[0-9]{1,4}$/.test(word) ? Number(word) : null;
}

// Streamlit writes whole addresses and knows nothing of the round, so it is put into all of them.
// A slider replaces the address, so that Back would leave the page: a move makes an entry, too,
// but one for all steps of a drag.
export let shownView = null;
let lastMove = 0;
export function keepRoundInAddress(view) {
  if (shownView === null) {
    const [push, replace] = [history.pushState.bind(history), history.replaceState.bind(history)];
    history.pushState = (state, title, address) =>
      push(state, title, shownView.withRound(address ?? location.href));
    history.replaceState = (state, title, address) => {
      const target = shownView.withRound(address ?? location.href);
      const isMove = isOtherSetting(target) && Date.now() - lastMove > ONE_MOVE;
      lastMove = isOtherSetting(target) ? Date.now() : lastMove;
      (isMove ? push : replace)(state, title, target);
    };
  }
  shownView = view;
}

// The round belongs to the entry that is shown; anything else is a setting of its own.
function isOtherSetting(address) {
  const [one, other] = [new URL(address, location.href), new URL(location.href)];
  one.searchParams.delete(ROUND);
  other.searchParams.delete(ROUND);
  return one.pathname === other.pathname && one.search !== other.search;
}
