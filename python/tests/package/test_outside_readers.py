"""Exports of hard names, read by programs that are not ours."""

import gzip
import os
import subprocess

import pytest
import rdflib
from lxml import etree

import dovetail

X = "http://x/"
HARD = {
    "noncharacters": X + "\ufffe\uffff",
    "C1": X + "a\u0085b\u009bc",
    "separators": X + "a\u2028b\u2029c",
    "letters": X + "\u00e9\u4eac\U0001f600",
    "mailto": "mailto:somebody@example.org",
    "urn": "urn:isbn:0451450523",
    "tag": "tag:example.org,2001:thing",
    "YAML word": "no:1",
    "SSSOM's prefix": "skos:1",
    "brackets": X + "a[1]#b#c",
    "percent": X + "100%",
    "IPv6": "http://[::1]/a",
    "plain": "a name",
    "blank": "_:b0",
}


@pytest.fixture(scope="module")
def hard(tmp_path_factory):
    """A run whose links, made by hand, join each hard name with the same one."""
    folder = tmp_path_factory.mktemp("hard")
    rows = "".join(f"{name}\tp\t{X}b\n" for name in HARD.values())
    (folder / "graph.tsv").write_text(rows, newline="\n")
    (folder / "seeds.tsv").write_text(f"{X}b\t{X}b\n")
    program("align", folder / "graph.tsv", folder / "graph.tsv", "--links", folder / "seeds.tsv", "--mode", "basic",
            "--dimension", "8", "-o", folder / "run")  # fmt: skip
    links = "".join(f"{name}\t{name}\t1\t1\t0.9\n" for name in HARD.values())
    (folder / "run" / "links.tsv").write_text("left\tright\tscore\tmargin\tconfidence\n" + links, newline="\n")
    return folder


def program(*arguments):
    command = [os.environ["DOVETAIL_PROGRAM"], *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def test_lxml_reads_the_alignment_api(hard):
    root = etree.fromstring(program("export", hard / "run", "--to", "alignment-api"))
    rdf = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
    names = [cell.get(rdf + "resource") for cell in root.iter("{*}entity1")]
    assert len(names) == len(HARD)
    for name in ("C1", "separators", "letters", "mailto"):
        assert HARD[name] in names
    assert X + "%EF%BF%BE%EF%BF%BF" in names


def test_rdflib_reads_the_alignment_api(hard):
    graph = rdflib.Graph().parse(data=program("export", hard / "run", "--to", "alignment-api"), format="xml")
    entity = rdflib.URIRef("http://knowledgeweb.semanticweb.org/heterogeneity/alignment#entity1")
    assert len(set(graph.objects(None, entity))) == len(HARD)


def test_rdflib_reads_ntriples(hard, tmp_path):
    path = tmp_path / "links.nt"
    program("export", hard / "run", "--to", "sameas", "-o", path)
    graph = rdflib.Graph().parse(path, format="nt")
    same = set(graph.subject_objects(rdflib.OWL.sameAs))
    assert len(same) == len(HARD)
    for name in ("noncharacters", "C1", "separators", "letters"):
        assert (rdflib.URIRef(HARD[name]), rdflib.URIRef(HARD[name])) in same
    blank = [(left, right) for left, right in same if isinstance(left, rdflib.BNode)]
    assert len(blank) == 1 and blank[0][0] != blank[0][1]


def test_rdflib_reads_literals_with_line_separators(tmp_path):
    text = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\ufffeh"
    source = tmp_path / "source.nt"
    source.write_bytes(f'<{X}a> <{X}p> "{text}" .\n<{X}a> <{X}q> <{X}\u2028> .\n'.encode())
    for kind, ending in (("ntriples", "nt"), ("turtle", "ttl")):
        target = tmp_path / f"target.{ending}"
        program("convert", source, target, "--to", kind)
        graph = rdflib.Graph().parse(target, format=ending)
        assert [str(value) for value in graph.objects(None, rdflib.URIRef(X + "p"))] == [text]
        assert [str(value) for value in graph.objects(None, rdflib.URIRef(X + "q"))] == [X + "\u2028"]


def test_sssom_py_accepts_every_name(hard, tmp_path):
    from sssom.constants import SchemaValidationType
    from sssom.parsers import parse_sssom_table
    from sssom.validators import validate

    path = tmp_path / "links.sssom.tsv"
    program("export", hard / "run", "--to", "sssom", "-o", path)
    mappings = parse_sssom_table(path)
    assert len(mappings.df) == len(HARD)
    validate(mappings, [SchemaValidationType.JsonSchema, SchemaValidationType.PrefixMapCompleteness,
                        SchemaValidationType.StrictCurieFormat], fail_on_error=True)  # fmt: skip
    mappings.clean_prefix_map(strict=True)
    subjects = set(mappings.df.subject_id)
    for name in ("mailto", "urn", "tag"):
        assert HARD[name] in subjects


def test_gzip_of_python_is_read_and_checked(tmp_path):
    triples = [f"<{X}{i}> <{X}p> <{X}b> .\n" for i in range(50)]
    good = gzip.compress("".join(triples).encode()) + gzip.compress(b"") + gzip.compress(b"# end\n") + bytes(512)
    path = tmp_path / "a.nt.gz"
    path.write_bytes(good)
    assert dovetail.load(path, path).entities("left")
    path.write_bytes(good + b"garbage")
    with pytest.raises(dovetail.InputError, match="damaged"):
        dovetail.load(path, path)


def test_names_of_files_that_are_not_utf8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"x\xff.nt")
    with open(path, "w") as file:
        file.write("bad\n")
    with pytest.raises(dovetail.InputError, match=r"x\\xFF\.nt:1") as caught:
        dovetail.load(os.fsdecode(path), os.fsdecode(path))
    assert open(caught.value.file).read() == "bad\n"


def test_gold_of_other_graphs_is_refused(model):
    with pytest.raises(ValueError, match="no entity in common"):
        model.evaluate([("nobody", "nothing")])
