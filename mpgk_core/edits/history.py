"""Steps back and forth between the versions of a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from mpgk_core.edits.graph_edits import Operation
from mpgk_core.edits.operations import edit_text, operations_between
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.graphs import GraphSet

MAX_STEPS = 50
"""How many steps can be undone."""


@dataclass(frozen=True)
class Version:
    """A graph, and what was done to get there.

    Attributes
    ----------
    graph : GraphSet
        With one graph.
    words : str
        Such as "removed edge 3 – 7".
    operations : tuple of Operation or None
        All that was done since the graph came; None where no list of operations describes it.
    """

    graph: GraphSet
    words: str
    operations: tuple[Operation, ...] | None = ()


@dataclass(frozen=True)
class History:
    """All versions of a graph that can be reached by undo and redo.

    A history never changes: every step returns another one. So whoever holds one, holds it alone.

    Attributes
    ----------
    origin : Version
        The graph as it came; :meth:`reset` leads there.
    present : Version
        The graph as it is.
    past : tuple of Version
        What :meth:`undo` leads to, the latest last; at most ``MAX_STEPS``.
    future : tuple of Version
        What :meth:`redo` leads to, the next first.

    Examples
    --------
    >>> import networkx as nx
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> history = History.of(ring).done(path, "removed edge 0 – 3")
    >>> history.graph.n_edges, history.undo().graph.n_edges, history.undo().redo() == history
    (3, 4, True)
    """

    origin: Version
    present: Version
    past: tuple[Version, ...] = ()
    future: tuple[Version, ...] = ()

    @classmethod
    def of(cls, graph: GraphSet, words: str = "the original graph") -> History:
        """Begin with a graph.

        Parameters
        ----------
        graph : GraphSet
            With one graph.
        words : str
            How its first version is called.

        Returns
        -------
        History
        """
        first = Version(graph, words)
        return cls(first, first)

    @property
    def graph(self) -> GraphSet:
        """The graph as it is."""
        return self.present.graph

    @cached_property
    def link_text(self) -> str | None:
        """The edits as a text for a link: empty without any, None where no text can hold them."""
        if self.graph is self.origin.graph:
            return ""
        lists = (operations_between(self.origin.graph, self.graph), self.present.operations)
        if () in lists:
            return ""
        try:
            texts = [edit_text(made, self.graph) for made in lists if made is not None]
        except InvalidGraphError:
            return None
        return min(texts, key=len, default=None)

    @property
    def versions(self) -> tuple[Version, ...]:
        """All versions in the order of their making, with the origin in front."""
        kept = (*self.past, self.present, *self.future)
        return kept if self.origin in kept else (self.origin, *kept)

    @property
    def can_undo(self) -> bool:
        """Whether there is a version before this one."""
        return bool(self.past)

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone, and none was done since."""
        return bool(self.future)

    def done(
        self, graph: GraphSet, words: str, operations: tuple[Operation, ...] | None = None
    ) -> History:
        """Make a step; what was undone before is forgotten.

        Parameters
        ----------
        graph : GraphSet
            What the step leads to.
        words : str
            What was done.
        operations : tuple of Operation, optional
            The same, where that is shorter than to name every edge and vertex.

        Returns
        -------
        History
        """
        before, step = self.present.operations, operations
        if step is None:
            step = operations_between(self.graph, graph)
        whole = None if before is None or step is None else (*before, *step)
        return self._then(Version(graph, words, whole))

    def undo(self) -> History:
        """Step back.

        Returns
        -------
        History

        Raises
        ------
        InvalidParameterError
            If nothing was done.
        """
        if not self.past:
            raise InvalidParameterError("There is no step to undo. Change the graph first.")
        *past, present = self.past
        return replace(self, past=tuple(past), present=present, future=(self.present, *self.future))

    def redo(self) -> History:
        """Step forth again.

        Returns
        -------
        History

        Raises
        ------
        InvalidParameterError
            If nothing was undone.
        """
        if not self.future:
            raise InvalidParameterError("There is no step to redo. Undo one first.")
        present, *future = self.future
        return replace(self, past=(*self.past, self.present), present=present, future=tuple(future))

    def reset(self) -> History:
        """Return to the graph as it came, by a step that can be undone like any other.

        Returns
        -------
        History
            The same, where this is that graph already.
        """
        if self.graph is self.origin.graph:
            return self
        return self._then(Version(self.origin.graph, f"back to {self.origin.words}"))

    def _then(self, version: Version) -> History:
        past = (*self.past, self.present)[-MAX_STEPS:]
        return replace(self, past=past, present=version, future=())
