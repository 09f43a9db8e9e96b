"""The guard lets reading Cypher through and nothing else."""

# ruff: noqa: E501

from __future__ import annotations

import pytest

from kg.errors import QueryError
from loaders.stores.columns import column_names
from loaders.stores.cypher_tokens import tokenize
from loaders.stores.read_guard import check_reading

READING = [
    "MATCH (m:Method)-[:USED_FOR]->(t:Task) RETURN t.name, count(*) AS n ORDER BY n DESC LIMIT 10",
    "MATCH (m:Method {name: 'CREATE (n) // DELETE'}) RETURN m // SET it",
    'MATCH (m) WHERE m.name = "LOAD CSV FROM \\"x\\"" RETURN m /* DROP; MERGE */;',
    "MATCH (n) RETURN n.set, n.create AS `delete`, {remove: 1, load: n.merge} AS map",
    "MATCH (n:`Set`)-[r:USED_FOR|PART_OF*1..3]-(m) RETURN DISTINCT n, [x IN nodes(r) WHERE x.id > 1 | x.name][0..2]",
    "OPTIONAL MATCH (a) WITH a WHERE a IS NOT NULL AND NOT (a)-->() RETURN CASE WHEN a.x > 1 THEN 'y' ELSE 'n' END AS c",
    "MATCH (m) WHERE EXISTS { MATCH (m)-->(t:Task) WHERE t.x = 1 } AND COUNT { (m)-->() } > 2 RETURN m {.name, k: m.id}",
    "CALL { MATCH (m:Method) RETURN m LIMIT 3 } RETURN m",
    "MATCH (m) CALL (m) { WITH m MATCH (m)-->(t) RETURN t } RETURN m, t",
    "CALL db.labels() YIELD label RETURN label ORDER BY label",
    "MATCH p = shortestPath((a:Paper)-[*..4]-(b:Paper)) RETURN length(p) UNION ALL RETURN 1 AS x",
    "UNWIND $names AS name MATCH (m {name: name}) RETURN all(x IN [1, 2] WHERE x > 0), reduce(s = 0, x IN [1] | s + x)",
    "RETURN 1.5e-3 + .5 + 0x1F, $`a param`, 'it\\'s', \"caf\\u00e9\", -1 SKIP 0 LIMIT 1",
    "MATCH (n WHERE n.name STARTS WITH 'a' OR n.name =~ '.*b' XOR n.name ENDS WITH $c) RETURN count(DISTINCT n)",
    "EXPLAIN MATCH (n) RETURN n",
    "MATCH (a) WHERE a:Method|Task RETURN a ORDER BY a.name DESC, a.id ASC SKIP 1 LIMIT 2",
    "RETURN point.distance(point({x: 0, y: 0}), point({x: 3, y: 4})) AS d",
]

REFUSED = [
    "",
    "   // nothing",
    ";",
    "CREATE (n)",
    "create (n) return n",
    "MATCH (n) DELETE n",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) SET n.x = 1 RETURN n",
    "MATCH (n) REMOVE n.x RETURN n",
    "MERGE (n:Method {id: 'x'}) RETURN n",
    "MATCH (n) FOREACH (x IN [1] | SET n.x = x) RETURN n",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "RETURN 1 AS a UNION LOAD CSV FROM 'file:///etc/passwd' AS a RETURN a",
    "WITH 1 AS x LOAD CSV FROM 'http://example.org' AS line RETURN line",
    "MATCH (n) /* */ LOAD/**/CSV FROM 'x' AS l RETURN l",
    "WITH 1 AS load CSV FROM 'x' AS l RETURN l",
    "CALL { CREATE (n) RETURN n } RETURN n",
    "CALL { MATCH (n) DELETE n } IN TRANSACTIONS",
    "MATCH (n) CALL (n) { DELETE [n][0] } RETURN n",
    "RETURN EXISTS { CREATE (n) }",
    "RETURN 1 UNION CREATE (n) RETURN n",
    "CALL dbms.shutdown()",
    "CALL apoc.load.json('file:///etc/passwd') YIELD value RETURN value",
    "CALL `apoc`.`load`.`json`('x') YIELD value RETURN value",
    "RETURN apoc.util.sleep(1)",
    "RETURN `apoc`.`util`.`sleep`(1)",
    "RETURN eval('1 + 1')",
    "RETURN `eval`('1 + 1')",
    "RETURN load . csv ('x')",
    "DROP INDEX x",
    "ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'",
    "SHOW USERS",
    "USE system MATCH (n) RETURN n",
    "CYPHER runtime=slotted MATCH (n) RETURN n",
    "EXPLAIN CREATE (n)",
    "RETURN 1; CREATE (n)",
    "MATCH (n) PURGE n",
    "MATCH (n) PURGE (n)",
    "MATCH (n) RETURN n INTO 'file'",
    "RETURN 'open",
    "RETURN `open",
    "RETURN 1 /* open",
    "RETURN 1 // a\rCREATE (n)",
    "RETURN '\\u0027 CREATE (n) //'",
    "RETURN '\\uuu0027 CREATE (n) //'",
    "RETURN 1 \\u0043REATE (n)",
    "RETURN `a\\u0060 CREATE (n) //`",
    "RETURN 1 // \\u000a CREATE (n)",
    "RETURN 1 /* \\u002a\\u002f CREATE (n) /* */",
    "RETURN 1\x0bCREATE (n)",
    "RETURN 1 // a\u2028 CREATE (n)",
    "RETURN 1\u00a0CREATE (n)",
    "INSERT (n:Method) RETURN n",
    "MATCH (n) RETURN n NEXT CREATE (m)",
    "EXPORT DATABASE file:///tmp/x",
    "IMPORT DATABASE file:///tmp/x",
    "BACKUP DATABASE",
]


@pytest.mark.parametrize("cypher", READING)
def test_read_guard_lets_reading_through(cypher: str) -> None:
    assert check_reading(cypher)


@pytest.mark.parametrize("cypher", REFUSED)
def test_read_guard_refuses_all_else_in_one_line(cypher: str) -> None:
    with pytest.raises(QueryError) as caught:
        check_reading(cypher)
    assert "\n" not in str(caught.value)


def test_read_guard_says_how_to_keep_a_name() -> None:
    with pytest.raises(QueryError, match="goes in back quotes: `set`"):
        check_reading("MATCH (set) RETURN set")
    assert check_reading("MATCH (`set`) RETURN `set`")


def test_tokenize_keeps_text_apart_from_code() -> None:
    tokens = tokenize("MATCH (n:`a``b` {x: 'it\\'s'}) // no\nRETURN $p, 1..2")
    assert [(token.kind, token.value) for token in tokens if token.kind != "symbol"] == [
        ("name", "MATCH"),
        ("name", "n"),
        ("quoted name", "a`b"),
        ("name", "x"),
        ("string", "it\\'s"),
        ("name", "RETURN"),
        ("parameter", "p"),
        ("number", "1"),
        ("number", "2"),
    ]


@pytest.mark.parametrize(
    ("cypher", "expected"),
    [
        ("MATCH (m) RETURN m.name, count(*) AS n LIMIT 3", ("m.name", "n")),
        (
            "MATCH (m) RETURN DISTINCT m . name, [x IN [1, 2] | x], {a: 1, b: 2} AS `a b`",
            ("m . name", "[x IN [1, 2] | x]", "a b"),
        ),
        ("MATCH (m) RETURN *", ()),
        ("CALL db.labels() YIELD label", ("label",)),
        ("MATCH (m) CALL (m) { RETURN 1 AS inner } RETURN m ORDER BY m.id UNION RETURN 2 AS m", ("m",)),
        ("CALL db.labels()", ()),
    ],
)
def test_column_names_read_from_the_text(cypher: str, expected: tuple[str, ...]) -> None:
    assert column_names(cypher, tokenize(cypher)) == expected
