"""What the program writes, read by those it is written for."""

import os
import subprocess

import numpy as np
import pytest
import rdflib

import dovetail

OWL_SAME_AS = rdflib.OWL.sameAs
CONFIDENCE = rdflib.URIRef("https://w3id.org/sssom/confidence")


@pytest.fixture(scope="module")
def run(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export") / "run"
    model.save(folder)
    return folder


def program(*arguments):
    command = [os.environ["DOVETAIL_PROGRAM"], *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def links_of(model):
    return set(zip(model.links.left, model.links.right))


def test_numpy_loads_embeddings(run, model, tmp_path):
    program("export", run, "--to", "npy", "-o", tmp_path / "numbers")
    for side in ("left", "right"):
        assert np.array_equal(np.load(tmp_path / "numbers" / f"{side}.npy"), model.entity_embeddings(side))
        names = (tmp_path / "numbers" / f"{side}.txt").read_text().splitlines()
        assert names == model.pair.entities(side)
    relations = np.load(tmp_path / "numbers" / "relations.npy", mmap_mode="r")
    assert np.array_equal(relations, model.relation_embeddings())


@pytest.mark.parametrize("form", ["none", "reification"])
def test_rdflib_reads_same_as(run, model, form):
    graph = rdflib.Graph().parse(data=program("export", run, "--to", "sameas", "--confidence", form), format="nt")
    found = {(str(left), str(right)) for left, right in graph.subject_objects(OWL_SAME_AS)}
    assert found == links_of(model)
    sure = {
        (str(graph.value(statement, rdflib.RDF.subject)), str(graph.value(statement, rdflib.RDF.object))): float(value)
        for statement, value in graph.subject_objects(CONFIDENCE)
    }
    expected = {} if form == "none" else {(link.left, link.right): link.confidence for link in model.links}
    assert sure == pytest.approx(expected, abs=1e-4)


def test_rdflib_reads_the_alignment_api(run, model):
    graph = rdflib.Graph().parse(data=program("export", run, "--to", "alignment-api"), format="xml")
    name = rdflib.Namespace("http://knowledgeweb.semanticweb.org/heterogeneity/alignment#")
    cells = {(str(graph.value(cell, name.entity1)), str(graph.value(cell, name.entity2)))
             for cell in graph.subjects(rdflib.RDF.type, name.Cell)}  # fmt: skip
    assert cells == links_of(model)


def test_the_reference_validator_accepts_sssom(run, model, tmp_path):
    from jsonschema.exceptions import ValidationError
    from sssom.constants import SchemaValidationType
    from sssom.parsers import parse_sssom_table
    from sssom.validators import validate

    path = tmp_path / "links.sssom.tsv"
    program("export", run, "--to", "sssom", "-o", path)
    everything = [SchemaValidationType.JsonSchema, SchemaValidationType.PrefixMapCompleteness,
                  SchemaValidationType.StrictCurieFormat]  # fmt: skip
    mappings = parse_sssom_table(path)
    assert len(mappings.df) == len(model.links)
    validate(mappings, everything, fail_on_error=True)
    mappings.clean_prefix_map(strict=True)
    # It does look: a confidence beyond 1 is refused.
    mappings.df["confidence"] = 7.0
    with pytest.raises(ValidationError):
        validate(mappings, everything, fail_on_error=True)


def test_rdflib_reads_the_merged_graph(run, model):
    pair = model.pair
    merged = rdflib.Dataset().parse(data=program("merge", run, "--to", "trig"), format="trig")
    left = merged.graph(rdflib.URIRef("urn:dovetail:left"))
    links = merged.graph(rdflib.URIRef("urn:dovetail:links"))
    assert len(left) > 1000
    assert len(links) == len(model.links) + len(pair.train_links)
    replaced = {str(gone) for gone in links.objects(None, OWL_SAME_AS)}
    right = merged.graph(rdflib.URIRef("urn:dovetail:right"))
    assert not replaced & {str(node) for node in right.all_nodes()}


def test_a_configuration_is_toml_that_python_takes(pair):
    tomllib = pytest.importorskip("tomllib")  # from Python 3.11 on
    config = tomllib.loads(program("config", "--preset", "fast"))
    keywords = {name.replace("-", "_"): value for room in config.values() for name, value in room.items()}
    assert keywords == dovetail.parameters("fast")
    assert dovetail.align(pair, **{**keywords, "dimension": 8}).parameters["compare"] is False
