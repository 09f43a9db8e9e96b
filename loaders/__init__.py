"""What reads papers and what writes graphs: parsers, stores and exports."""
